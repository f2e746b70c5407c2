import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { pruneMemoryInjections } from "./memory-injections.ts";
import type { MemoryContextQuery } from "./memory.schema.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";

const NOW = "2026-06-01T12:00:00.000Z";

let database: TestDatabase;
let deps: TestDeps;
let service: MemoryService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks CASCADE");
  deps = createTestDeps(database.db, NOW);
  service = createMemoryService({ ...deps, redactor: createTestRedactor("hunter2") });
});
afterAll(() => database.close());

const store = async (content: string) => (await service.store({ content, chunkType: "fact" })).id;
const report = (memoryIds: string[]) => ({
  sessionId: "s",
  memoryIds,
  reason: "file" as const,
  subject: "src/hunter2.ts",
  tokens: 40,
  givenAt: "2026-06-01T11:00:00.000Z",
});
const give = async (given: Partial<MemoryContextQuery>) =>
  (await service.context({ limit: 5, ...given })).memories.map(({ content }) => content);
const injectionsOf = async (id: string) => (await service.injections.list({ id, limit: 20 })).items;

test("a context leaves out what is excluded, and what says the same", async () => {
  const exclude = [await store("The staging port is 5433")];
  await store("The Staging port is 5433.");
  expect(await give({ exclude })).toEqual([]);
  await store("Deployments need the VPN");
  expect(await give({ exclude })).toEqual(["Deployments need the VPN"]);
  expect(await give({ exclude, query: "Which port has staging, and what do deployments need?" })).toEqual([
    "Deployments need the VPN",
  ]);
  expect(await give({})).toHaveLength(2);
});

describe("what became of a memory", () => {
  const CONTENTS = ["Deployments to staging need the VPN", "Staging deployments happen on Mondays"] as const;

  test("lowers its place, with a prompt too, and says so", async () => {
    const [vpn, mondays] = [await store(CONTENTS[0]), await store(CONTENTS[1])];
    const orders = () => Promise.all([give({}), give({ query: "staging: deployments" })]);
    const judge = async (isNotUseful: boolean) => {
      for (const sessionId of ["a", "b", "c"]) {
        await service.injections.record({ injections: [{ ...report([vpn, mondays]), sessionId }] });
        const judged = await service.injections.judge({ id: mondays, sessionId, isNotUseful });
        expect(judged).toMatchObject({ sessionId, notUsefulAt: isNotUseful ? NOW : null });
      }
    };
    expect(await orders()).toEqual([CONTENTS.toReversed(), CONTENTS.toReversed()]);
    await judge(true);
    expect(await orders()).toEqual([CONTENTS, CONTENTS]);
    const recall = await service.explainRecall({ id: mondays });
    expect(recall).toMatchObject({ rank: 2, outcomes: { used: 0, unused: 0, notUseful: 3 } });
    expect(recall.factors.usefulness).toBe(0.4);
    expect((await service.explainRecall({ id: vpn })).factors.usefulness).toBe(1);
    const found = await service.search({ limit: 20, query: "staging deployments" });
    expect(found.map(({ id }) => id)).toEqual([mondays, vpn]);
    await judge(false);
    expect(await orders()).toEqual([CONTENTS.toReversed(), CONTENTS.toReversed()]);
  });

  test("is only judged where it was given", async () => {
    const id = await store("One");
    const judge = (given: { id: string }) => service.injections.judge({ sessionId: "s", isNotUseful: true, ...given });
    await expect(judge({ id })).rejects.toThrow(NotFoundError);
    await expect(judge({ id: "unknown" })).rejects.toThrow(NotFoundError);
  });
});

describe("a report of what hooks have given", () => {
  test("is recorded once, without unknown memories", async () => {
    const [id, forgotten] = [await store("One"), await store("Entirely different")];
    await service.delete(forgotten);
    const injections = [report([id, "unknown", "00000000-0000-7000-8000-000000000000", forgotten]), report([id])];
    expect(await service.injections.record({ injections })).toEqual({ recorded: 1 });
    expect(await service.injections.record({ injections })).toEqual({ recorded: 0 });
    expect(await injectionsOf(id)).toMatchObject([
      { reason: "file", subject: "src/[secret].ts", tokens: 40, givenAt: "2026-06-01T11:00:00.000Z" },
    ]);
  });

  test("cannot be dated in the future", async () => {
    const id = await store("One");
    await service.injections.record({ injections: [{ ...report([id]), givenAt: "2030-01-01T00:00:00.000Z" }] });
    expect(await injectionsOf(id)).toMatchObject([{ givenAt: NOW }]);
  });

  test("is listed page by page, and forgotten after half a year", async () => {
    const id = await store("One");
    const injections = ["a", "b", "c"].map((sessionId) => ({ ...report([id]), sessionId }));
    await service.injections.record({ injections });
    const first = await service.injections.list({ id, limit: 2 });
    const second = await service.injections.list({ id, limit: 2, cursor: first.nextCursor });
    expect([first, second].flatMap(({ items }) => items.map(({ sessionId }) => sessionId))).toEqual(["c", "b", "a"]);
    expect(second.nextCursor).toBeUndefined();
    await pruneMemoryInjections(database.db, new Date("2026-11-01T00:00:00.000Z"));
    expect(await injectionsOf(id)).toHaveLength(3);
    await pruneMemoryInjections(database.db, new Date("2026-12-01T00:00:00.000Z"));
    expect(await injectionsOf(id)).toEqual([]);
  });
});
