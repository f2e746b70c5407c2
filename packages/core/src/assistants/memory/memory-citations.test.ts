import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import type { CitationInput } from "./citation.schema.ts";
import { storeMemoryInput, type StoreMemory } from "./memory.schema.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";
import { provenCitations } from "./proposed-citations.ts";

const NOW = "2026-06-01T12:00:00.000Z";
const LATER = "2026-06-02T12:00:00.000Z";
const PROJECT = "/home/ada/shop";
const LINES: CitationInput = { path: "src/retry.ts", startLine: 3, endLine: 5 };

let database: TestDatabase;
let deps: TestDeps;
let service: MemoryService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks CASCADE");
  deps = createTestDeps(database.db, NOW);
  service = createMemoryService(deps);
});
afterAll(() => database.close());

const store = (content: string, given: Partial<StoreMemory> = {}) =>
  service.store({ content, chunkType: "fact", projectPath: PROJECT, ...given });
const listCitations = () => service.citations.list({ project: PROJECT, limit: 100 });
const CONTENT = "Requests are retried three times";

/** Stores a memory whose lines a client has found. */
async function storeCited(citations: CitationInput[] = [LINES]) {
  const { id } = await store(CONTENT, { citations });
  await report((citation) => ({ holds: true, fingerprint: `f ${citation.path}` }));
  return id;
}

type Check = Omit<Parameters<MemoryService["citations"]["check"]>[0]["checks"][number], "id">;

async function report(check: (citation: Awaited<ReturnType<typeof listCitations>>[number]) => Check | null) {
  const citations = await listCitations();
  const checks = citations.flatMap((citation) => {
    const result = check(citation);
    return result === null ? [] : [{ id: citation.id, ...result }];
  });
  return (await service.citations.check({ checks })).changedIds;
}

/** What sessions are given at their start, for a prompt, and for the time without the server. */
async function given(): Promise<number[]> {
  const context = { project: PROJECT, limit: 20 };
  const contexts = [
    await service.context(context),
    await service.context({ ...context, query: "are requests retried" }),
  ];
  const listed = await service.listForProject({ project: PROJECT, limit: 20 });
  return [...contexts.map(({ memories }) => memories.length), listed.length];
}

describe("a citation", () => {
  test("has its path from the root of the project, and is unchecked until its lines were found", async () => {
    const citations = [
      { path: `${PROJECT}/src/retry.ts`, startLine: 3 },
      { path: "./README.md" },
      { path: "/elsewhere/a.ts", quote: "  retries: 3,\n", commit: "0123abc" },
    ];
    const memory = await store(CONTENT, { citations });
    const unchecked = { commit: null, state: "unchecked", checkedAt: null };
    expect(memory.citations).toEqual([
      { path: "src/retry.ts", startLine: 3, endLine: 3, ...unchecked },
      { path: "README.md", startLine: null, endLine: null, ...unchecked },
      { path: "/elsewhere/a.ts", startLine: null, endLine: null, ...unchecked, commit: "0123abc" },
    ]);
    expect(await service.get(memory.id)).toEqual(memory);
    expect(await listCitations()).toMatchObject([{}, {}, { memoryId: memory.id, quote: "  retries: 3,\n" }]);
    await report(({ quote }) =>
      quote === null ? null : { holds: true, path: "a.ts", startLine: 7, endLine: 7, fingerprint: "f" },
    );
    expect((await service.get(memory.id)).citations[2]).toEqual({
      path: "a.ts",
      startLine: 7,
      endLine: 7,
      commit: "0123abc",
      state: "holds",
      checkedAt: NOW,
    });
    expect((await listCitations())[2]).toMatchObject({ quote: null, fingerprint: "f", state: "holds" });
  });

  test("with a secret in it is not stored", async () => {
    service = createMemoryService({ ...deps, redactor: createTestRedactor("hunter2") });
    const { citations } = await store(CONTENT, { citations: [{ path: "a.ts", quote: "password = 'hunter2'" }, LINES] });
    expect(citations).toMatchObject([{ path: "src/retry.ts" }]);
  });

  test("is listed under every name of its project, and no longer if it was never found in a month", async () => {
    await store(CONTENT, { citations: [LINES] });
    await store("Elsewhere", { citations: [LINES], projectPath: "/home/ada" });
    expect(
      await service.citations.list({ project: "github.com/ada/shop", folder: `${PROJECT}/`, limit: 100 }),
    ).toHaveLength(1);
    expect(await service.citations.list({ project: "github.com/ada/shop", limit: 100 })).toEqual([]);
    deps.clock.set("2026-07-02T12:00:00Z");
    expect(await listCitations()).toEqual([]);
  });
});

describe("a memory", () => {
  test("is withheld when any of its lines are not found, and given again when they are", async () => {
    const id = await storeCited([LINES, { path: "src/other.ts", startLine: 1 }]);
    expect(await given()).toEqual([1, 1, 1]);
    deps.clock.set(LATER);
    deps.changes.length = 0;
    expect(await report(({ path }) => ({ holds: path !== LINES.path }))).toEqual([id]);
    expect(deps.changes).toMatchObject([{ resource: "memory", action: "edit", resourceId: id }]);
    expect(await given()).toEqual([0, 0, 0]);
    const broken = { withheldAt: LATER, citations: [{ state: "broken", checkedAt: LATER }, { state: "holds" }] };
    expect(await service.search({ query: "retried", limit: 5 })).toMatchObject([broken]);
    expect(await report(({ path }) => ({ holds: path !== LINES.path }))).toEqual([]);
    expect(await report(() => ({ holds: true }))).toEqual([id]);
    expect(await given()).toEqual([1, 1, 1]);
    expect(await service.get(id)).toMatchObject({ withheldAt: null });
  });

  test("is withheld if its lines were not found the first time, until they are or it is confirmed", async () => {
    const quote = "const port = 9999;";
    const { id } = await store(CONTENT, { citations: [{ path: "src/retry.ts", quote }] });
    expect(await given()).toEqual([1, 1, 1]);
    expect(await report(() => ({ holds: false }))).toEqual([id]);
    expect(await given()).toEqual([0, 0, 0]);
    expect(await service.get(id)).toMatchObject({ withheldAt: NOW, citations: [{ state: "broken", checkedAt: NOW }] });
    expect(await listCitations()).toMatchObject([{ quote, fingerprint: null, state: "broken" }]);
    expect(await report(() => ({ holds: true }))).toEqual([]);
    expect(await report(() => ({ holds: true, path: "src/retry.ts", startLine: 1, fingerprint: "f" }))).toEqual([id]);
    expect(await service.get(id)).toMatchObject({ withheldAt: null, citations: [{ state: "holds" }] });
    const other = await store("Other", { citations: [{ path: "src/none.ts" }] });
    expect(await report(({ path }) => (path === "src/none.ts" ? { holds: false } : null))).toEqual([other.id]);
    expect(await service.citations.confirm({ id: other.id, isConfirmed: true })).toMatchObject({ withheldAt: null });
  });

  test.each(["../../../etc/passwd", "src/../../a.ts", "..\\a.ts", "./../a.ts"])("does not rest on %s", (path) => {
    expect(
      storeMemoryInput.safeParse({ content: CONTENT, chunkType: "fact", citations: [{ path }] }).error,
    ).toMatchObject({ issues: [{ path: ["citations", 0, "path"], message: "must be a path inside the project" }] });
    expect(provenCitations(`${path}: const port = 9999;`, [{ path, quote: "const port = 9999;" }])).toEqual([]);
  });

  test("is given again once it is confirmed, whatever its lines are, until that is taken back", async () => {
    const id = await storeCited();
    await report(() => ({ holds: false }));
    expect(await service.citations.confirm({ id, isConfirmed: true })).toMatchObject({
      withheldAt: null,
      citations: [{ state: "confirmed" }],
    });
    expect(await listCitations()).toEqual([]);
    expect(await given()).toEqual([1, 1, 1]);
    expect(await service.citations.confirm({ id, isConfirmed: false })).toMatchObject({
      withheldAt: NOW,
      citations: [{ state: "broken" }],
    });
    await service.delete(id);
    await expect(service.citations.confirm({ id, isConfirmed: true })).rejects.toThrow(NotFoundError);
    await expect(service.citations.confirm({ id: "nothing", isConfirmed: true })).rejects.toThrow(NotFoundError);
  });

  test("is confirmed by whoever changes what it says, or merges others into it", async () => {
    const id = await storeCited();
    await report(() => ({ holds: false }));
    expect(await service.update({ id, relevanceScore: 0.5 })).toMatchObject({ withheldAt: NOW });
    expect(await service.update({ id, content: "Requests are retried five times" })).toMatchObject({
      withheldAt: null,
    });
    const other = await storeCited();
    await report(() => ({ holds: false }));
    expect(await service.merge({ id: other, ids: [id] })).toMatchObject({ withheldAt: null });
  });
});
