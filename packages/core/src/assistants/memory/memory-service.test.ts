import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import type { SearchMemory, StoreMemory } from "./memory.schema.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";

const NOW = "2026-06-01T12:00:00.000Z";
const DAY_MS = 86_400_000;

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
  service.store({ content, chunkType: "fact", ...given });
const search = async (given: Partial<SearchMemory>) =>
  (await service.search({ limit: 20, ...given })).map(({ content }) => content);
const daysAgo = (days: number) => deps.clock.set(new Date(Date.parse(NOW) - days * DAY_MS));
const listed = async () => (await service.list({ deleted: false, limit: 100 })).items.map(({ content }) => content);

describe("searching", () => {
  test("is case-insensitive in content and excerpt, in every script, with wildcards as ordinary characters", async () => {
    await store("Uses PostgreSQL 18");
    await store("Straße и ПРИВЕТ", { sourceExcerpt: "Quoted Passage" });
    await store("100% sure_thing");
    expect(await search({ query: "postgresql" })).toEqual(["Uses PostgreSQL 18"]);
    expect(await search({ query: "STRASSE привет" })).toEqual(["Straße и ПРИВЕТ"]);
    expect(await search({ query: "quoted passage" })).toEqual(["Straße и ПРИВЕТ"]);
    expect(await search({ query: "100%" })).toEqual(["100% sure_thing"]);
    expect(await search({ query: "0_sure" })).toEqual([]);
    expect(await search({ query: "sure_" })).toEqual(["100% sure_thing"]);
    expect(await search({ query: "nothing like it" })).toEqual([]);
  });

  test("puts the best match first", async () => {
    await store("The deploy script is in scripts/deploy.sh and needs the VPN");
    await store("Tests run with pnpm test", { sourceExcerpt: "then deploy as usual" });
    await store("Deploy");
    expect(await search({ query: "deploy" })).toEqual([
      "The deploy script is in scripts/deploy.sh and needs the VPN",
      "Deploy",
      "Tests run with pnpm test",
    ]);
  });

  test("finds the answer to a question although not every word occurs in it, rare words first", async () => {
    await store("The project uses Vitest for tests");
    await store("The project chose Fastify over Express because of schema validation");
    await store("The project lives in a monorepo");
    expect((await search({ query: "why did the project choose fastify over express?" }))[0]).toBe(
      "The project chose Fastify over Express because of schema validation",
    );
  });

  test("without a query is by relevance, then newest", async () => {
    await store("middle", { relevanceScore: 0.5 });
    deps.clock.set("2026-06-02T00:00:00Z");
    await store("newer", { relevanceScore: 0.9 });
    deps.clock.set("2026-06-01T00:00:00Z");
    await store("older", { relevanceScore: 0.9 });
    expect(await search({})).toEqual(["newer", "older", "middle"]);
    expect(await search({ query: " " })).toEqual(["newer", "older", "middle"]);
  });

  test("filters by project, type and relevance, and stops at the limit", async () => {
    await store("one", { projectPath: "/a/" });
    await store("two", { projectPath: "/a", chunkType: "decision", relevanceScore: 0.3 });
    await store("three", { projectPath: "/b" });
    expect(await search({ projectPath: "/a" })).toEqual(["one", "two"]);
    expect(await search({ projectPath: "/a/", chunkType: "decision" })).toEqual(["two"]);
    expect(await search({ minRelevance: 0.3, limit: 2 })).toHaveLength(2);
    expect(await search({ minRelevance: 0.31, projectPath: "/a" })).toEqual(["one"]);
  });

  test("counts the look-up in what it answers and nothing else, exactly, also at the same time", async () => {
    for (let index = 0; index < 30; index += 1) await store(`alpha ${index}`);
    await store("beta");
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.search({ query: index % 2 === 0 ? "alpha" : "alpha 1", limit: 100 }),
      ),
    );
    const [first] = await service.search({ query: "beta", limit: 1 });
    expect(first).toMatchObject({ accessCount: 1, lastAccessedAt: NOW });
    const { items } = await service.list({ deleted: false, limit: 100 });
    const countOf = (content: string) => items.find((memory) => memory.content === content)?.accessCount;
    expect(countOf("alpha 5")).toBe(10);
    expect(countOf("alpha 15")).toBe(20);
  });

  test("counts without rewriting the memory's row, whose text would be indexed again", async () => {
    await store("alpha");
    const places = async () => (await database.db.pool.query("SELECT ctid FROM memory_chunks")).rows;
    const before = await places();
    await service.search({ query: "alpha", limit: 1 });
    expect(await places()).toEqual(before);
  });

  test("does not find what is deleted", async () => {
    const { id } = await store("gone");
    await service.delete(id);
    expect(await search({ query: "gone" })).toEqual([]);
    expect(await search({})).toEqual([]);
  });
});

describe("the context", () => {
  test("is what matters in the project, those above it and everywhere, and counts no look-up", async () => {
    await store("of the repo", { projectPath: "/home/ada/repo" });
    await store("of the package", { projectPath: "/home/ada/repo/packages/core" });
    await store("of another repo", { projectPath: "/home/ada/other" });
    await store("of a repo with a longer name", { projectPath: "/home/ada/repo2" });
    await store("of none", { chunkType: "preference" });
    const { memories, formatted } = await service.context({ project: "/home/ada/repo/packages/core/", limit: 5 });
    expect(memories.map(({ content }) => content).toSorted()).toEqual(["of none", "of the package", "of the repo"]);
    expect(formatted).toMatch(/^3 memories loaded:\n\n### Key Facts\n- of the (package|repo)\n/);
    expect(memories.every(({ accessCount }) => accessCount === 0)).toBe(true);
    expect((await service.context({ limit: 20 })).memories).toHaveLength(5);
    expect(await service.context({ project: "/elsewhere", limit: 1 })).toMatchObject({
      memories: [{ content: "of none" }],
    });
  });

  const contextOf = async (project: string, limit = 5) =>
    (await service.context({ project, limit })).memories.map(({ content }) => content);

  test("takes the project's own and those of the folders in it first, then those above, then those of none", async () => {
    await store("general", { relevanceScore: 1 });
    await store("of the folder above", { projectPath: "/home/ada", relevanceScore: 0.9 });
    await store("of the project", { projectPath: "/home/ada/repo", relevanceScore: 0.1 });
    await store("of a package", { projectPath: "/home/ada/repo/packages/core", relevanceScore: 0.2 });
    await store("of a project beside it", { projectPath: "/home/ada/repo-2" });
    const order = ["of a package", "of the project", "of the folder above", "general"];
    expect(await contextOf("/home/ada/repo")).toEqual(order);
    expect(await contextOf("/home/ada/repo/", 3)).toEqual(order.slice(0, 3));
  });

  test("takes signs in a project's name literally", async () => {
    await store("own", { projectPath: "/100%_done/src" });
    await store("of another", { projectPath: "/100 x done/src" });
    expect(await contextOf("/100%_done")).toEqual(["own"]);
  });

  test("does not lose a project's old facts behind thousands of newer general ones", async () => {
    daysAgo(300);
    await store("old but its own", { projectPath: "/home/ada/repo", relevanceScore: 0.1 });
    await database.db.pool.query(
      `INSERT INTO memory_chunks (id, chunk_type, content, content_key, created_at, search_text)
       SELECT gen_random_uuid(), 'preference', 'general', '', $1, 'general' FROM generate_series(1, 2500)`,
      [NOW],
    );
    expect((await contextOf("/home/ada/repo", 2))[0]).toBe("old but its own");
  });

  test("keeps a project's own words where a general memory says the same", async () => {
    const general = await store("The API listens on port 3000 by default", { relevanceScore: 1 });
    const own = await store("By default the API listens on port 3000", { projectPath: "/p", relevanceScore: 0.5 });
    expect(own.nearDuplicateOfId).toBe(general.id);
    expect(await contextOf("/p")).toEqual([own.content]);
    expect(await contextOf("/q")).toEqual([general.content]);
  });

  test("says nothing twice, and leaves out nothing that differs in a figure", async () => {
    await store("The API listens on port 3000 by default", { projectPath: "/p" });
    const said = await store("By default the API listens on port 3000", { projectPath: "/p" });
    const moved = await store("By default the API listens on port 3001", { projectPath: "/p" });
    expect([said, moved].every(({ nearDuplicateOfId }) => nearDuplicateOfId !== null)).toBe(true);
    const contents = await contextOf("/p");
    expect(contents).toHaveLength(2);
    expect(contents).toContain(moved.content);
    const ranks = await Promise.all(
      (await service.list({ deleted: false, limit: 10 })).items.map(async ({ id }) => {
        return (await service.explainRecall({ id, project: "/p" })).rank;
      }),
    );
    expect(ranks.toSorted()).toEqual([1, 2, null]);
  });

  test("takes a project's memories under both of its names", async () => {
    await store("by the repository", { projectPath: "github.com/ada/repo" });
    await store("by the folder", { projectPath: "/home/ada/repo" });
    const names = { project: "github.com/ada/repo", folder: "/home/ada/repo/packages/core" };
    expect((await service.context({ ...names, limit: 5 })).memories).toHaveLength(2);
    expect((await service.context({ project: names.project, limit: 5 })).memories).toHaveLength(1);
  });

  test("is empty where nothing is known", async () => {
    expect(await service.context({ project: "/x", limit: 5 })).toEqual({ memories: [], formatted: "" });
  });

  test("can be explained", async () => {
    daysAgo(90);
    const old = await store("old", { projectPath: "/p", relevanceScore: 0.8 });
    daysAgo(0);
    await store("new", { projectPath: "/p", relevanceScore: 0.8 });
    const recall = await service.explainRecall({ id: old.id, project: "/p" });
    expect(recall).toMatchObject({
      isInScope: true,
      rank: 2,
      factors: { relevance: 0.8, ageDays: 90, halfLifeDays: 90, recency: 0.5 },
    });
    expect(await service.explainRecall({ id: old.id, project: "/q" })).toMatchObject({ isInScope: false, rank: null });
    const ofPackage = await store("of a package", { projectPath: "/p/core", relevanceScore: 1 });
    expect(await service.explainRecall({ id: ofPackage.id, project: "/p" })).toMatchObject({
      isInScope: true,
      rank: 1,
    });
  });
});

describe("storing", () => {
  test("flags what may repeat another memory of the project, and keeps both", async () => {
    const first = await store("The API listens on port 3000 by default", { projectPath: "/p" });
    const second = await store("By default the API listens on port 3000.", { projectPath: "/p" });
    expect(second.nearDuplicateOfId).toBe(first.id);
    const elsewhere = await store("The API listens on port 3000 by default", { projectPath: "/q" });
    expect(elsewhere.nearDuplicateOfId).toBeNull();
    expect((await store("Something else altogether", { projectPath: "/p" })).nearDuplicateOfId).toBeNull();
    const flagged = await service.list({ deleted: false, nearDuplicates: true, limit: 10 });
    expect(flagged.items.map(({ id }) => id)).toEqual([second.id]);
  });

  test("keeps the values of secrets out", async () => {
    const redactor = createTestRedactor("s3cr3t");
    const guarded = createMemoryService({ ...deps, redactor });
    const memory = await guarded.store({ content: "is s3cr3t", sourceExcerpt: "was s3cr3t", chunkType: "fact" });
    await guarded.update({ id: memory.id, content: "still s3cr3t" });
    expect(JSON.stringify(await guarded.get(memory.id))).not.toContain("s3cr3t");
  });
});

describe("changing", () => {
  test("touches what is given, and is found by its new words", async () => {
    const memory = await store("oldword", { projectPath: "/p", sourceExcerpt: "the passage", relevanceScore: 0.4 });
    const updated = await service.update({ id: memory.id, content: " newword " });
    expect(updated).toEqual({ ...memory, content: " newword " });
    expect(
      await service.update({ id: memory.id, chunkType: "decision", projectPath: null, relevanceScore: 1 }),
    ).toMatchObject({
      content: " newword ",
      chunkType: "decision",
      projectPath: null,
      relevanceScore: 1,
    });
    expect(await search({ query: "oldword" })).toEqual([]);
    expect(await search({ query: "newword" })).toHaveLength(1);
    expect(await search({ query: "passage" })).toHaveLength(1);
    for (const id of [v7(), "nonsense"])
      await expect(service.update({ id, content: "x" })).rejects.toThrow(NotFoundError);
  });

  test("can say that a memory is no repetition", async () => {
    await store("The API listens on port 3000 by default");
    const second = await store("The API listens on port 3001 by default");
    expect(second.nearDuplicateOfId).not.toBeNull();
    expect((await service.update({ id: second.id, nearDuplicateOfId: null })).nearDuplicateOfId).toBeNull();
  });
});

describe("merging", () => {
  test("lets one stand for several, with what they had, and can be undone", async () => {
    const first = await store("The API listens on port 3000", { relevanceScore: 0.5 });
    const second = await store("The API listens on port 3000!", { relevanceScore: 0.9, sourceExcerpt: "listens on" });
    const third = await store("The API listens on port 3000?");
    await service.search({ query: "listens", limit: 10 });
    const merged = await service.merge({ id: second.id, ids: [first.id, third.id], content: "The API's port is 3000" });
    expect(merged).toMatchObject({
      id: second.id,
      content: "The API's port is 3000",
      relevanceScore: 1,
      accessCount: 3,
      sourceExcerpt: "listens on",
      nearDuplicateOfId: null,
    });
    expect(await listed()).toEqual(["The API's port is 3000"]);
    expect(await service.restore([first.id, third.id])).toEqual({ restoredIds: [first.id, third.id] });
    expect(await listed()).toHaveLength(3);
  });

  test("changes nothing where one of them is not there", async () => {
    const [first, second] = [await store("one"), await store("two")];
    await expect(service.merge({ id: first.id, ids: [second.id, v7()] })).rejects.toThrow(NotFoundError);
    await expect(service.merge({ id: v7(), ids: [second.id] })).rejects.toThrow(NotFoundError);
    await expect(service.merge({ id: first.id, ids: [first.id] })).rejects.toThrow(InvalidInputError);
    expect(await listed()).toHaveLength(2);
  });
});

describe("deleting", () => {
  test("is answered once, and can be undone", async () => {
    const { id } = await store("back soon");
    expect(await service.delete(id)).toEqual({ success: true });
    await expect(service.delete(id)).rejects.toThrow(NotFoundError);
    await expect(service.get(id)).rejects.toThrow(NotFoundError);
    expect((await service.list({ deleted: true, limit: 10 })).items).toHaveLength(1);
    expect(await service.restore([id])).toEqual({ restoredIds: [id] });
    expect((await service.get(id)).content).toBe("back soon");
    for (const missing of [v7(), "nonsense"]) await expect(service.delete(missing)).rejects.toThrow(NotFoundError);
  });

  test("of several takes those that are there, and undo brings them back", async () => {
    const memories = [await store("a"), await store("b"), await store("c")];
    const ids = memories.slice(0, 2).map(({ id }) => id);
    expect((await service.deleteMany([...ids, v7(), "nonsense"])).deletedIds.toSorted()).toEqual(ids.toSorted());
    expect(await listed()).toEqual(["c"]);
    expect((await service.restore(ids)).restoredIds.toSorted()).toEqual(ids.toSorted());
    expect(await listed()).toHaveLength(3);
  });

  test("is for good after thirty days", async () => {
    const { id } = await store("forgotten");
    await service.delete(id);
    daysAgo(-31);
    await service.deleteMany([v7()]);
    expect(await service.restore([id])).toEqual({ restoredIds: [] });
  });
});

test("the list is read on in pages, with every filter", async () => {
  for (let index = 0; index < 7; index += 1) {
    await store(`page ${index}`, {
      sessionId: index % 2 === 0 ? "even" : "odd",
      chunkType: index < 3 ? "fact" : "decision",
      relevanceScore: index / 10,
    });
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.list({
      query: "PAGE",
      deleted: false,
      limit: 3,
      ...(cursor !== undefined && { cursor }),
    });
    seen.push(...page.items.map(({ content }) => content));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `page ${index}`));
  const filtered = await service.list({
    deleted: false,
    sessionId: "even",
    chunkType: ["decision", "summary"],
    minRelevance: 0.5,
    nearDuplicates: false,
    limit: 10,
  });
  expect(filtered.items.map(({ content }) => content)).toEqual(["page 6"]);
});

test("every change is announced under the memory's own words", async () => {
  const long = "x".repeat(150);
  const { id } = await store(long);
  await service.update({ id, relevanceScore: 0 });
  await service.delete(id);
  await service.restore([id]);
  expect(deps.changes.map(({ resource, action, resourceId }) => [resource, action, resourceId])).toEqual(
    ["create", "edit", "delete", "restore"].map((action) => ["memory", action, id]),
  );
  expect(deps.changes[0]?.resourceName).toBe(`${"x".repeat(100)}…`);
});
