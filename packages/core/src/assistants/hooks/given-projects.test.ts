import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { createFileHistoryService } from "../file-history/file-history.service.ts";
import { moveFolderMemories } from "../memory/folder-memories.ts";
import { createMemoryService, type MemoryService } from "../memory/memory.service.ts";
import { createSessionSearchService } from "../session-search/session-search.service.ts";
import { createTurnIndex } from "../session-search/turn-index.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import { createHookEventService } from "./hook-event.service.ts";
import { createHookSessionService } from "./hook-session.service.ts";
import { createMemorySettingsService } from "./memory-settings.service.ts";

const SHOP = "github.com/ada/shop";
const FOLDER = "/home/ada/shop";
const SPELLINGS = [
  SHOP,
  "GitHub.com/Ada/Shop",
  "git@github.com:ada/shop.git",
  "https://token:x@github.com/ada/shop.git",
  "ssh://git@GITHUB.com:22/Ada/shop/",
  "github.com/ada/shop.git",
  "github.com:ada/shop",
  "github.com:Ada/Shop.git",
  "https://www.github.com/ada/shop",
  "www.github.com/ada/shop",
  " github.com/ada/shop\n",
  FOLDER,
  `${FOLDER}/`,
  `file://${FOLDER}`,
  `${FOLDER}/packages/api`,
];

let database: TestDatabase;
let deps: TestDeps;
let memory: MemoryService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks, session_transcripts, project_folders CASCADE");
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
  memory = createMemoryService(deps);
});
afterAll(() => database.close());

/** A session that works in a folder, and changes nothing there. */
async function work(projectDir: string, project?: string, occurredAt = "2026-06-01T08:00:00.000Z"): Promise<void> {
  const eventData = project === undefined ? { source: "startup" } : { project };
  await createHookEventService(deps).record({
    eventType: "SessionStart",
    sessionId: "s",
    projectDir,
    eventData,
    occurredAt,
  });
}

const store = (content: string, projectPath: string) => memory.store({ content, chunkType: "fact", projectPath });
const search = async (projectPath: string, query = "feature flags") =>
  (await memory.search({ query, projectPath, limit: 10 })).map(({ content }) => content);
const FLAGS = "Feature flags live in flags.yaml";

describe("a project", () => {
  test.each(SPELLINGS)("is found, given by %s", async (given) => {
    await work(FOLDER, SHOP);
    await store(FLAGS, SHOP);
    await store("Feature flags are forbidden", "github.com/ada/blog");
    expect(await search(given)).toEqual([FLAGS]);
    expect((await memory.search({ projectPath: given, limit: 10 })).map(({ content }) => content)).toEqual([FLAGS]);
    const listed = await memory.list({ projectPath: given, limit: 10, deleted: false });
    expect(listed.items.map(({ content }) => content)).toEqual([FLAGS]);
    const context = await memory.context({ project: given, limit: 10 });
    expect(context.memories.map(({ content }) => content)).toEqual([FLAGS]);
    const { isInScope } = await memory.explainRecall({ id: listed.items[0]?.id ?? "", project: given });
    expect(isInScope).toBe(true);
  });

  test.each(SPELLINGS)("gets what is stored, given by %s, under its one name", async (given) => {
    await work(FOLDER, SHOP);
    expect((await store(FLAGS, given)).projectPath).toBe(SHOP);
    const moved = await memory.store({ content: "Another", chunkType: "fact" });
    expect((await memory.update({ id: moved.id, projectPath: given })).projectPath).toBe(SHOP);
  });

  test.each(SPELLINGS)("has its sessions found, given by %s", async (given) => {
    await work(FOLDER, SHOP);
    const transcripts = createSessionTranscriptService({ ...deps, keepsTranscripts: true });
    const turns = [{ kind: "user" as const, text: "Where are the feature flags?" }];
    await transcripts.add({ sessionId: "one", projectPath: SHOP }, turns);
    await transcripts.add({ sessionId: "other", projectPath: "/elsewhere" }, turns);
    await createTurnIndex(deps).catchUp();
    const found = await createSessionSearchService(deps).search({
      query: "feature flags",
      projectPath: given,
      limit: 10,
    });
    expect(found.map(({ sessionId }) => sessionId)).toEqual(["one"]);
  });

  test("that has memories under the name given is found as before, beside those of its repository", async () => {
    await store(FLAGS, FOLDER);
    await store("Feature flags by URL", "https://github.com/ada/shop.git");
    expect(await search(FOLDER)).toEqual([FLAGS]);
    await work(FOLDER, SHOP);
    expect(await search(FOLDER)).toEqual(expect.arrayContaining([FLAGS, "Feature flags by URL"]));
    await store("Feature flags expire", "Notes: Flags");
    expect(await search("notes: flags")).toEqual(["Feature flags expire"]);
  });

  test("has what was stored under its folder before its repository was known", async () => {
    const early = await store(FLAGS, FOLDER);
    const forgotten = await store("Feature flags were in flags.json", FOLDER);
    await memory.delete(forgotten.id);
    await store("Feature flags of a part", `${FOLDER}/api`);
    await store("Feature flags of another", "/home/ada/shopping");
    const published: string[] = [];
    deps.events.subscribe(({ resource, action, resourceId }) => published.push(`${resource} ${action} ${resourceId}`));
    await work(FOLDER, SHOP);
    expect(published).toContain(`memory edit ${early.id}`);
    expect(await search(SHOP)).toEqual([FLAGS]);
    const { items } = await memory.list({ projectPath: SHOP, limit: 10, deleted: false });
    expect(items).toMatchObject([{ id: early.id, projectPath: SHOP }]);
    expect((await store(`${FLAGS}.`, SHOP)).nearDuplicateOfId).toBe(early.id);
    await memory.restore([forgotten.id]);
    expect((await memory.get(forgotten.id)).projectPath).toBe(SHOP);
    expect(await search("/home/ada/shopping")).toEqual(["Feature flags of another"]);
  });

  test("has what was stored under its folder, even if the process ended before it was moved", async () => {
    const stored = await Promise.all(Array.from({ length: 201 }, (_, index) => store(`Flag ${index} is on`, FOLDER)));
    await database.db.pool.query("INSERT INTO project_folders VALUES ($1, $2, now()), ('/srv/a', '/srv', now())", [
      FOLDER,
      SHOP,
    ]);
    await database.db.pool.query("UPDATE memory_chunks SET project_path = '/srv/a' WHERE id = $1", [stored[0]?.id]);
    await moveFolderMemories({ pool: database.db.pool, events: deps.events });
    expect((await memory.list({ projectPath: SHOP, limit: 1000, deleted: false })).items).toHaveLength(200);
    expect((await memory.list({ projectPath: "/srv/a", limit: 1000, deleted: false })).items).toHaveLength(1);
  });

  test("is recorded even if what was stored under its folder cannot be moved", async () => {
    await store(FLAGS, FOLDER);
    await database.db.pool.query(`
      CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refuse_move BEFORE UPDATE ON memory_chunks EXECUTE FUNCTION refuse_move()`);
    try {
      await work(FOLDER, SHOP);
    } finally {
      await database.db.pool.query("DROP TRIGGER refuse_move ON memory_chunks; DROP FUNCTION refuse_move");
    }
    await moveFolderMemories({ pool: database.db.pool, events: deps.events });
    expect(await search(SHOP)).toEqual([FLAGS]);
  });

  test("whose name is known in two cases is the one with the case given", async () => {
    const names = ["git.acme.dev/Ada/App", "git.acme.dev/ada/app"];
    for (const name of names) await work(`/srv/${name}`, name);
    for (const name of names) expect((await store(`Feature flags of ${name}`, name)).projectPath).toBe(name);
    for (const name of names) expect(await search(name)).toEqual([`Feature flags of ${name}`]);
  });

  test.each([
    ["git.acme.dev/Bücher/App", "git.acme.dev/BÜCHER/app"],
    ["git.acme.dev/bücher/app".normalize("NFD"), "git.acme.dev/Bücher/App".normalize("NFC")],
    ["work/ada/blog", "work:ada/blog"],
    ["work:ada/blog", "Work:Ada/blog"],
  ])("that is stored as %s is found as %s", async (stored, given) => {
    await work("/srv/app", stored);
    expect((await store(FLAGS, given)).projectPath).toBe(stored);
    expect(await search(given)).toEqual([FLAGS]);
  });

  test.each([
    "https://GitHub.com/ada/new.git",
    "github.com:ada/new",
    "www.GitHub.com/ada/new.git",
    "GitHub.com/ada/new",
  ])("that is not known yet is stored, given by %s, under the name that sessions will have for it", async (given) => {
    expect((await store(FLAGS, given)).projectPath).toBe("github.com/ada/new");
  });

  test("is found by the last part of its name, or the last two, where no other one has it", async () => {
    await work(FOLDER, SHOP);
    await work("/srv/notes", "/srv/notes");
    await work("C:\\work\\blog", "C:\\work\\blog");
    const stored = (given: string) => store(given, given).then(({ projectPath }) => projectPath);
    expect(await stored("Shop")).toBe(SHOP);
    expect(await stored("Ada/shop")).toBe(SHOP);
    expect(await stored("notes")).toBe("/srv/notes");
    expect(await stored("blog")).toBe("C:\\work\\blog");
    for (const other of ["hop", "da/shop", "git.acme.dev/shop", "x/shop"]) expect(await stored(other)).toBe(other);
    await work("/srv/shop", "github.com/bob/shop");
    expect(await stored("SHOP")).toBe("SHOP");
    expect(await stored("bob/shop")).toBe("github.com/bob/shop");
  });

  test("is the one that sessions had last in its folder", async () => {
    await work(FOLDER, SHOP, "2026-06-01T08:00:00.000Z");
    await work(FOLDER, "github.com/ada/store", "2026-06-01T10:00:00.000Z");
    await work(FOLDER, SHOP, "2026-06-01T09:00:00.000Z");
    await work(FOLDER);
    expect((await store(FLAGS, FOLDER)).projectPath).toBe("github.com/ada/store");
    await work(FOLDER, FOLDER, "2026-06-01T11:00:00.000Z");
    expect((await store("Another", FOLDER)).projectPath).toBe(FOLDER);
  });

  test("without a repository has its folder only, not those in it", async () => {
    await work("/home/ada", "/home/ada");
    await work("/home/ada/shop/vendor/lib", "/home/ada/shop/vendor");
    await work(FOLDER, SHOP);
    const stored = (folder: string) => store(folder, folder).then(({ projectPath }) => projectPath);
    expect(await stored("/home/ada/notes")).toBe("/home/ada/notes");
    expect(await stored("/home/ada/shop/vendor")).toBe("/home/ada/shop/vendor");
    expect(await stored("/home/ada/shop/vendor/lib")).toBe("/home/ada/shop/vendor");
    expect(await stored("/home/ada/shop/src")).toBe(SHOP);
    expect(await stored("/home/ada/shopping")).toBe("/home/ada/shopping");
  });

  test("has one row in the settings, however it is given", async () => {
    await work(FOLDER, SHOP);
    const settings = createMemorySettingsService(deps);
    const standard = { sessionStart: 100, prompt: 100, file: 100 };
    const set = (...projects: string[]) =>
      settings.set({
        expectedVersion: 0,
        standard,
        projects: projects.map((project) => ({ ...standard, project })),
      });
    await expect(set(FOLDER, "git@github.com:ada/shop.git")).rejects.toThrow(InvalidInputError);
    expect((await set(FOLDER, "/srv/blog")).projects.map(({ project }) => project)).toEqual([SHOP, "/srv/blog"]);
  });

  test("is the same for why", async () => {
    await work(FOLDER, SHOP);
    const { why } = createFileHistoryService(deps);
    for (const given of SPELLINGS.slice(0, -1))
      expect(await why({ path: "src/a.ts", projectPath: given, limit: 1 })).toMatchObject({
        projectPath: SHOP,
        path: "src/a.ts",
      });
  });
});

test("the projects of sessions and memories are listed once each, by name, and a session's goes by that name", async () => {
  await work(FOLDER, SHOP);
  await store(FLAGS, FOLDER);
  await store("Coffee is at ten", "/home/ada/office");
  const sessions = createHookSessionService({
    db: database.db,
    vaultRoot: "/vault",
    listSessionMemories: async () => [],
    listGivenMemories: async () => [],
    listLeftOut: async () => [],
    findTranscript: async () => null,
    sumSessionUsage: async () => null,
  });
  expect((await sessions.listProjects({})).items).toEqual([{ project: "/home/ada/office" }, { project: SHOP }]);
  for (const given of SPELLINGS) expect((await sessions.listProjects({ given })).items).toEqual([{ project: SHOP }]);
  expect((await sessions.listProjects({ given: "github.com/ada/none" })).items).toEqual([]);
  const { data } = await sessions.get({ sessionId: "s", limit: 1 });
  expect(data).toMatchObject({ projectDir: FOLDER, project: SHOP });
});
