import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import type { StoreMemory } from "./memory.schema.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const PROJECT = "/home/ada/shop";

let database: TestDatabase;
let deps: TestDeps;
let service: MemoryService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks CASCADE");
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
  service = createMemoryService(deps);
});
afterAll(() => database.close());

const store = (content: string, given: Partial<StoreMemory> = {}) =>
  service.store({ content, chunkType: "fact", projectPath: PROJECT, ...given });

/** What sessions are given at their start, for a prompt, and for the time without the server. */
async function given(): Promise<string[][]> {
  const context = { project: PROJECT, limit: 20 };
  const contexts = [
    await service.context(context),
    await service.context({ ...context, query: "deploy port staging" }),
  ];
  const listed = await service.listForProject({ project: PROJECT, limit: 20 });
  return [...contexts.map(({ memories }) => memories), listed].map((memories) =>
    memories.map(({ content }) => content).toSorted(),
  );
}

const OLD = "Staging listens on port 5432, deploy there first";
const NEW = "Staging listens on port 5433, deploy there first";

test("a memory that replaces another is given in its place; the other is kept, marked, and found by searching", async () => {
  const old = await store(OLD);
  deps.clock.set("2026-06-02T12:00:00Z");
  const { id, nearDuplicateOfId } = await store(NEW, { supersedes: [old.id] });
  expect(nearDuplicateOfId).toBeNull();
  expect(await given()).toEqual([[NEW], [NEW], [NEW]]);
  const replaced = { supersededById: id, supersededAt: "2026-06-02T12:00:00.000Z" };
  expect(await service.get(old.id)).toMatchObject(replaced);
  expect((await service.search({ query: "5432", limit: 5 }))[0]).toMatchObject({ id: old.id, ...replaced });
  expect((await service.explainRecall({ id: old.id, project: PROJECT })).rank).toBeNull();
  expect(deps.changes.slice(-2)).toMatchObject([
    { action: "create", resourceId: id },
    { action: "edit", resourceId: old.id },
  ]);
});

test("that it was replaced is taken back, and made again", async () => {
  const old = await store(OLD);
  const { id } = await store(NEW, { supersedes: [old.id] });
  expect(await service.update({ id: old.id, supersededById: null })).toMatchObject({
    supersededById: null,
    supersededAt: null,
  });
  expect(await given()).toEqual([
    [OLD, NEW],
    [OLD, NEW],
    [OLD, NEW],
  ]);
  expect(await service.update({ id: old.id, supersededById: id })).toMatchObject({ supersededById: id });
  expect(await given()).toEqual([[NEW], [NEW], [NEW]]);
});

test("what a forgotten memory replaced is valid, until that is restored", async () => {
  const old = await store(OLD);
  const { id } = await store(NEW, { supersedes: [old.id] });
  await service.delete(id);
  expect(await service.get(old.id)).toMatchObject({ supersededById: null, supersededAt: null });
  expect(await given()).toEqual([[OLD], [OLD], [OLD]]);
  await service.restore([id]);
  expect(await given()).toEqual([[NEW], [NEW], [NEW]]);
});

test("what a merged memory replaced is replaced by the one that took it in", async () => {
  const old = await store(OLD);
  const newer = await store(NEW, { supersedes: [old.id] });
  const kept = await store("Deploy to staging first");
  await service.merge({ id: kept.id, ids: [newer.id] });
  expect(await service.get(old.id)).toMatchObject({ supersededById: kept.id });
  await service.merge({ id: old.id, ids: [kept.id] });
  expect(await service.get(old.id)).toMatchObject({ supersededById: null, supersededAt: null });
});

test("only memories that exist are replaced, and none by itself or by one that it replaced", async () => {
  await expect(store(NEW, { supersedes: [NOBODY] })).rejects.toThrow(InvalidInputError);
  await expect(store(NEW, { supersedes: ["nothing"] })).rejects.toThrow(InvalidInputError);
  expect(await given()).toEqual([[], [], []]);
  const old = await store(OLD);
  const { id } = await store(NEW, { supersedes: [old.id] });
  for (const supersededById of [id, old.id, NOBODY, "nothing"])
    await expect(service.update({ id, supersededById })).rejects.toThrow(InvalidInputError);
});
