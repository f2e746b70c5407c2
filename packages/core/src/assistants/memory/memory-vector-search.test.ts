import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startModelDouble, type ModelDouble } from "../../../testing/model-double.ts";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { createTestEmbeddings } from "../../../testing/test-embeddings.ts";
import type { MemoryEmbeddings } from "./memory-embeddings.ts";
import type { MemoryContextQuery, SearchMemory, StoreMemory } from "./memory.schema.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";
import type { QueryEmbeddings } from "./query-embedding.ts";

/** Has no word in common with `QUERY`, but many sequences of characters. */
const FOUND_BY_VECTOR = "Preprocessing happens inside workers";
const QUERY = "is there reprocessing by coworkers";

let database: TestDatabase;
let model: ModelDouble;
let embeddings: MemoryEmbeddings;
let service: MemoryService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks CASCADE");
  model = await startModelDouble();
  const deps = createTestDeps(database.db, "2026-06-01T12:00:00.000Z");
  embeddings = await createTestEmbeddings(deps, { baseUrl: model.baseUrl });
  service = createMemoryService({ ...deps, embeddings: patient(embeddings) });
});
afterEach(async () => {
  await embeddings.close();
  await model.close();
});
afterAll(() => database.close());

/** Waits for the model, however slow the machine is. */
function patient({ find }: MemoryEmbeddings): QueryEmbeddings {
  return { find: (query) => find(query, 60_000) };
}

const store = (content: string, given: Partial<StoreMemory> = {}) =>
  service.store({ content, chunkType: "fact", ...given });
const search = async (query: string, given: Partial<SearchMemory> = {}) =>
  (await service.search({ query, limit: 20, ...given })).map(({ content }) => content);
const context = async (query: string, given: Partial<MemoryContextQuery> = {}) =>
  (await service.context({ query, limit: 5, ...given })).memories.map(({ content }) => content);

async function storeOthers(): Promise<void> {
  for (const [index, what] of ["tea", "a lighthouse", "the moon", "wool", "jazz", "fog", "maple", "rust"].entries())
    await store(`Yesterday ${index} people talked about ${what}`);
}

describe("a search", () => {
  test("finds by vector what has none of its words", async () => {
    await storeOthers();
    await store(FOUND_BY_VECTOR);
    expect(await search(QUERY)).not.toContain(FOUND_BY_VECTOR);
    await embeddings.catchUp();
    expect((await search(QUERY))[0]).toBe(FOUND_BY_VECTOR);
  });

  test("has an exact phrase and an identifier first", async () => {
    const phrase = "Long ago somebody wondered is there reprocessing by coworkers of the old machine, and nobody knew";
    await store(phrase);
    await store("reprocess, reprocessing, coworker: coworkers reprocess what coworkers process");
    await embeddings.catchUp();
    expect((await search(QUERY))[0]).toBe(phrase);

    await store("Somebody put parseUserName into a file that nobody likes to read");
    await store("usernames: parser-username, parse username, username parsing");
    await embeddings.catchUp();
    expect((await search("where is parseUserName now"))[0]).toMatch(/^Somebody/);
  });

  test("of one or two words is one by words only", async () => {
    await store(FOUND_BY_VECTOR);
    await embeddings.catchUp();
    const asked = model.embeddingRequests.length;
    expect(await search("processor")).toEqual([]);
    expect(await search("%")).toEqual([]);
    expect(model.embeddingRequests).toHaveLength(asked);
  });

  test("keeps to its project, type and relevance", async () => {
    await store(FOUND_BY_VECTOR, { projectPath: "/a", chunkType: "decision", relevanceScore: 0.5 });
    await embeddings.catchUp();
    expect(await search(QUERY, { projectPath: "/a" })).toEqual([FOUND_BY_VECTOR]);
    expect(await search(QUERY, { projectPath: "/b" })).toEqual([]);
    expect(await search(QUERY, { chunkType: "fact" })).toEqual([]);
    expect(await search(QUERY, { minRelevance: 0.6 })).toEqual([]);
  });

  test("finds nothing by what a memory used to say, or by what is deleted", async () => {
    const edited = await store(FOUND_BY_VECTOR);
    const deleted = await store(`${FOUND_BY_VECTOR}, too`);
    await embeddings.catchUp();
    await service.update({ id: edited.id, content: "Fog in November" });
    await service.delete(deleted.id);
    expect(await search(QUERY)).toEqual([]);
    await embeddings.catchUp();
    expect(await search("tell me about november fog")).toEqual(["Fog in November"]);
  });

  test("ignores vectors of another model", async () => {
    await store(FOUND_BY_VECTOR);
    await embeddings.catchUp();
    const deps = createTestDeps(database.db);
    const other = await createTestEmbeddings(deps, { baseUrl: model.baseUrl, model: "other" });
    const found = await createMemoryService({ ...deps, embeddings: patient(other) }).search({
      query: QUERY,
      limit: 20,
    });
    await other.close();
    expect(found).toEqual([]);
  });

  test("goes on by words while the model is unavailable", async () => {
    await store("We use pnpm in all of the projects");
    await embeddings.catchUp();
    model.replyToEmbeddings(() => ({ fault: { kind: "status", status: 503 } }));
    expect(await search("what do we use in projects")).toEqual(["We use pnpm in all of the projects"]);
    expect(embeddings.problem).toBe("unavailable");
  });
});

describe("the context of a prompt", () => {
  test("has what only the vector shows to be about the same", async () => {
    await storeOthers();
    await store(FOUND_BY_VECTOR, { projectPath: "/a/b" });
    await embeddings.catchUp();
    const prompt = "preprocessor happening insider worker";
    expect(await context(prompt, { project: "/a" })).toEqual([FOUND_BY_VECTOR]);
    expect(await context(prompt, { project: "/c" })).toEqual([]);
  });

  test("is empty if nothing has to do with it", async () => {
    await storeOthers();
    await store(FOUND_BY_VECTOR);
    await embeddings.catchUp();
    expect(await context("rename the button on the settings page")).toEqual([]);
  });
});
