import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { createMemoryIndexBackfill } from "./memory-index-backfill.ts";
import type { MemoryContextQuery, SearchMemory, StoreMemory } from "./memory.schema.ts";
import { estimateTokens } from "./token-estimate.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";

let database: TestDatabase;
let deps: TestDeps;
let service: MemoryService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks CASCADE");
  deps = createTestDeps(database.db, "2026-06-01T12:00:00.000Z");
  service = createMemoryService(deps);
});
afterAll(() => database.close());

const store = (content: string, given: Partial<StoreMemory> = {}) =>
  service.store({ content, chunkType: "fact", ...given });
const search = async (query: string, given: Partial<SearchMemory> = {}) =>
  (await service.search({ query, limit: 20, ...given })).map(({ content }) => content);

describe("a word is found", () => {
  test.each([
    ["by its stem", "Migrations were tested", "how do you test a migration"],
    ["by an irregular form", "We chose pnpm", "why choose pnpm over npm"],
    ["in German", "Die Entscheidung fiel für PostgreSQL", "welche Entscheidungen sind gefallen"],
    ["in French", "Les décisions sont prises avec toute l'équipe", "quelle décision avec les équipes"],
    ["in Russian", "Решение принято", "какие решения приняты вчера"],
    ["in Greek", "Οι αποφάσεις ελήφθησαν", "ποια απόφαση ελήφθη χθες"],
    ["in Japanese", "本番環境のデータベースは東京にある", "データベースはどこ にある の"],
    ["as part of an identifier", "getUserName trims the value", "where is the user name trimmed"],
    ["as an identifier in another notation", "call get_user_name first", "where is getUserName called first"],
    ["as a path", "Routes live in src/http/routes.ts", "what is in src/http/routes.ts now"],
    ["by the file of a path", "Routes live in src/http/routes.ts", "open routes.ts and read it"],
    ["as part of a word in a short query", "Kubernetes runs it", "bernet"],
  ])("%s", async (_how, content, query) => {
    await store("Something else entirely, xyzzy");
    await store(content);
    expect(await search(query)).toEqual([content]);
  });

  test.each([
    ["of stop words alone", "To be or not to be that is the question", "to be or not to be"],
    ["of punctuation alone", "Draw ( . ) ( . ) for eyes", "( . ) ( . )"],
    ["with % and _ alone", "Escape % _ % in patterns", "% _ % in"],
  ])("by a longer query %s, as it is", async (_how, content, query) => {
    await store("Something to be or not, % and _ and ( . )");
    await store(content);
    expect(await search(query.toUpperCase())).toEqual([content]);
    expect(await search(query, { projectPath: "/elsewhere" })).toEqual([]);
  });

  test("by the month and the day of the memory", async () => {
    await store("We moved to pnpm");
    deps.clock.set("2026-07-14T12:00:00.000Z");
    await store("We moved to Node 24");
    expect((await search("what did we move to in June 2026"))[0]).toBe("We moved to pnpm");
    expect((await search("what did we move to on July 14"))[0]).toBe("We moved to Node 24");
  });
});

describe("the order", () => {
  test("has an exact phrase first", async () => {
    await store("Tests, integration tests: run the tests, run integration");
    await store("Here we run integration tests before every release of the service, and also after");
    expect((await search("run integration tests"))[0]).toMatch(/^Here/);
  });

  test("has rare words before common ones", async () => {
    for (let index = 0; index < 5; index += 1) await store(`The service has a queue, number x${index}`);
    await store("The scheduler has a lease");
    expect((await search("which service queue has the lease"))[0]).toBe("The scheduler has a lease");
  });

  test("raises what was learnt beside a good match", async () => {
    await store("Anna likes tea", { sessionId: "other" });
    await store("Anna likes a walk", { sessionId: "trip" });
    await store("Anna visited the lighthouse in Brittany", { sessionId: "trip" });
    const found = await search("what did Anna do at the lighthouse in Brittany");
    expect(found).toEqual(["Anna visited the lighthouse in Brittany", "Anna likes a walk", "Anna likes tea"]);
  });

  test("of two words has those with both only, if there are any", async () => {
    await store("red fox");
    await store("red deer");
    expect(await search("red fox")).toEqual(["red fox"]);
    expect(await search("fox hound")).toEqual(["red fox"]);
    expect(await search("red ee")).toEqual(["red deer"]);
    expect(await search("ed fo")).toEqual(["red fox"]);
  });

  /** Stores a memory so many times. */
  async function storeOften(content: string, times: number): Promise<void> {
    const { id } = await store(content);
    await database.db.pool.query(
      `WITH copies AS (
        INSERT INTO memory_chunks (id, chunk_type, content, search_text, content_key, created_at)
        SELECT gen_random_uuid(), chunk_type, content, search_text, content_key || n, created_at
        FROM memory_chunks, generate_series(2, $2) AS n WHERE id = $1 RETURNING id
      )
      INSERT INTO memory_search_vectors (memory_id, vector, dictionary)
      SELECT copies.id, vector, dictionary FROM copies, memory_search_vectors WHERE memory_id = $1`,
      [id, times],
    );
  }

  test("has those with all words first, however common these are", async () => {
    await storeOften("The importer of the service reads tests", 4000);
    for (const text of ["A service reads", "Importers and tests"]) await store(text);
    await database.db.pool.query("ANALYZE memory_chunks, memory_search_vectors");
    expect(new Set(await search("service importer reads tests"))).toEqual(
      new Set(["The importer of the service reads tests"]),
    );
  });

  test("has words that are common, but only in what was stored last", async () => {
    await storeOften("The archive holds what nobody asks for any more", 3100);
    await storeOften("The importer of the service reads tests", 12_400);
    await database.db.pool.query("ANALYZE memory_chunks, memory_search_vectors");
    expect(new Set(await search("importer reads tests"))).toEqual(new Set(["The importer of the service reads tests"]));
  });
});

describe("the context of a prompt", () => {
  const context = async (query: string, given: Partial<MemoryContextQuery> = {}) =>
    service.context({ query, limit: 5, project: "/projects/app", ...given });
  const contents = async (query: string) => (await context(query)).memories.map(({ content }) => content);

  beforeEach(async () => {
    await store("Releases are cut from the branch stable on Tuesdays", { projectPath: "/projects/app" });
    await store("The API server listens on port 4000", { projectPath: "/projects/app/api" });
    await store("Ada prefers tabs over spaces");
    await store("Releases of the other app are cut by hand", { projectPath: "/projects/other" });
  });

  test("has what has to do with it, of the project, its folders and of none", async () => {
    expect(await contents("from which branch are releases cut?")).toEqual([
      "Releases are cut from the branch stable on Tuesdays",
    ]);
    expect(await contents("which port does the server listen on")).toEqual(["The API server listens on port 4000"]);
    expect(await contents("reformat this file, spaces or tabs?")).toEqual(["Ada prefers tabs over spaces"]);
  });

  test.each(["continue", "What is the capital of Mongolia?", "Fix the type error in line 42", "  ", "?!"])(
    "has nothing for %j",
    async (prompt) => {
      expect(await context(prompt)).toEqual({ memories: [], formatted: "" });
    },
  );

  test.each([
    ["a hyphenated word", "Only one person may publish", "is there an off-by-one error in the loop"],
    ["a number", "The importer reads 40,000 rows at a time", "why does my recursion end at 40,000"],
    ["an elision", "Le bus part à l'heure et jamais en avance", "que mangent les chats à l'heure du repas"],
  ])("does not take %s for an identifier", async (_what, content, prompt) => {
    await store(content);
    expect(await contents(prompt)).toEqual([]);
  });

  test("keeps to a number of tokens, and leaves out what would be cut to nothing", async () => {
    for (const [place, words] of Object.entries({ north: "stone and iron ", south: "two guards ", east: "a ferry " }))
      await store(`The ${place} gate opens at dawn. ${words.repeat(40)}`);
    const prompt = "when do the north gate, the south gate and the east gate open";
    const whole = await context(prompt);
    expect(whole.memories).toHaveLength(3);
    const { memories, formatted } = await context(prompt, { maxTokens: 110 });
    expect(memories).toEqual(whole.memories.slice(0, 2));
    expect(estimateTokens(formatted)).toBeLessThanOrEqual(110);
    expect(formatted).toMatch(/^2 memories loaded:/);
  });

  test("has nothing that only stands beside what is excluded", async () => {
    const session = { sessionId: "planning", projectPath: "/projects/app" };
    const { id } = await store("Announcements move to Thursdays, because Mia is away on Mondays", session);
    await store("The basket's cookie lives for thirty days", session);
    const prompt = "Do announcements move to another day?";
    expect(await contents(prompt)).toHaveLength(2);
    expect((await context(prompt, { exclude: [id] })).memories).toEqual([]);
  });

  test("counts no look-up", async () => {
    await context("from which branch are releases cut?");
    const { items } = await service.list({ deleted: false, limit: 10 });
    expect(items.map(({ accessCount }) => accessCount)).toEqual([0, 0, 0, 0]);
  });
});

describe("a misspelt word", () => {
  test.each(["kuberntes", "kubernets", "kubrenetes", "Kubernetess", "kubernetse"])("%j is forgiven", async (word) => {
    await store("Kubernetes restarts the importer every night");
    await store("Kubrick made films");
    expect(await search(`what about ${word} then`)).toEqual(["Kubernetes restarts the importer every night"]);
    expect(await search(word)).toEqual(["Kubernetes restarts the importer every night"]);
  });

  test("may have two letters wrong if it is long, one if it is short", async () => {
    await store("The migration of the database");
    await store("Ports are listed");
    expect(await search("what about migrateons then")).toEqual(["The migration of the database"]);
    expect(await search("what about poorts then")).toEqual(["Ports are listed"]);
    expect(await search("what about parrt then")).toEqual([]);
  });

  test("counts less than one that a memory has", async () => {
    await store("Handlers retry");
    await store("Without reception for a long time the phone will submit it later");
    expect((await search("my handset did not submit"))[0]).toMatch(/^Without/);
  });

  test("is not corrected if there is such a word", async () => {
    await store("The form has two fields");
    await store("The farm has two barns");
    expect(await search("which farm is that")).toEqual(["The farm has two barns"]);
  });
});

describe("the index", () => {
  test("follows edits, moves, deletion and restoring", async () => {
    const { id } = await store("alpha", { projectPath: "/a" });
    await service.update({ id, content: "beta", projectPath: "/b" });
    expect(await search("alpha and something more")).toEqual([]);
    expect(await search("beta and something more", { projectPath: "/b" })).toEqual(["beta"]);
    expect(await search("beta and something more", { projectPath: "/a" })).toEqual([]);
    await service.delete(id);
    expect(await search("beta and something more")).toEqual([]);
    await service.restore([id]);
    expect(await search("beta and something more")).toEqual(["beta"]);
  });

  test("is added to memories that were stored before there was one", async () => {
    await store("a memory from before");
    await database.db.pool.query("TRUNCATE memory_search_vectors");
    const backfill = createMemoryIndexBackfill(deps);
    await backfill.start();
    await backfill.idle();
    await backfill.close();
    expect(await search("which memories are from before")).toEqual(["a memory from before"]);
  });

  test("forgets words that no memory has any more", async () => {
    const { id } = await store("ephemeral secretive");
    await store("lasting secretive");
    await service.delete(id);
    const backfill = createMemoryIndexBackfill(deps);
    await backfill.start();
    await backfill.idle();
    await backfill.close();
    const { rows } = await database.db.pool.query(
      "SELECT word FROM memory_search_words WHERE word <> 'june' ORDER BY word",
    );
    expect(rows).toEqual([{ word: "last" }, { word: "secret" }]);
  });

  test("takes words of any length and any character", async () => {
    const hostile = ["x".repeat(9_000), `it's a \\ back\\slash 'quoted' "q" : * & | ! ( ) <-> \u0001`, "' OR 1=1 --"];
    for (const content of hostile) await store(content);
    for (const content of hostile) await expect(search(content.slice(0, 1_000))).resolves.toBeDefined();
    expect(await search("back\\slash it's quoted now")).toEqual([hostile[1]]);
  });
});

test("a search by a person who types counts as no use, and may be restricted to what awaits review", async () => {
  const { id } = await store("The basket's cookie lives for thirty days");
  await database.db.pool.query("UPDATE memory_chunks SET awaits_review = true WHERE id = $1", [id]);
  await store("The session's cookie lives for a day");
  const query = "how long does the basket cookie live";
  const found = await service.search({ query, limit: 20, isUse: false });
  expect(found.map(({ content }) => content)).toEqual([
    "The basket's cookie lives for thirty days",
    "The session's cookie lives for a day",
  ]);
  expect(await service.search({ query, limit: 20, isUse: false, awaitsReview: true })).toHaveLength(1);
  expect(await service.get(id)).toMatchObject({ accessCount: 0, lastAccessedAt: null });
});
