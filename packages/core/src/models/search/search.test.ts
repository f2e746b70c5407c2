import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { createMemoryService } from "../../assistants/memory/memory.service.ts";
import { createTurnIndex } from "../../assistants/session-search/turn-index.ts";
import { createSessionTranscriptService } from "../../assistants/transcripts/session-transcript.service.ts";
import { ForbiddenError } from "../../platform/errors.ts";
import type { ApiKeyPrincipal, Principal } from "../../platform/procedures/principal.ts";
import type { ApiKeyScope } from "../../platform/resources.ts";
import { createSearchIndex } from "./search-index.ts";
import type { Search } from "./search.schema.ts";
import { createSearchService } from "./search.service.ts";

const USER = v7();
const ADA: Principal = { kind: "user", userId: USER, name: "Ada", email: "a@x.y" };

const textIndexer = { settled: async () => undefined };
let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
  await query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'a@x.y', now())", [USER]);
});
afterAll(() => database.close());
beforeEach(() =>
  query(
    `TRUNCATE tasks, documents, conversations, agents, secrets, memory_chunks, session_transcripts, hook_events, search_entries,
       search_changes, search_words CASCADE`,
  ),
);

const query = (text: string, values: unknown[] = []) => database.db.pool.query(text, values);
const index = () => createSearchIndex(deps);
const search = (q: string, over: Partial<Search> = {}, principal: Principal = ADA) =>
  createSearchService({ db: database.db, textIndexer, searchIndex: index() }).find(
    { q, limit: 20, ...over },
    principal,
  );
const titles = async (q: string, over: Partial<Search> = {}, principal: Principal = ADA) =>
  (await search(q, over, principal)).map(({ title }) => title);
const keyWith = (scopes: readonly ApiKeyScope[], folder?: string): ApiKeyPrincipal => ({
  kind: "api_key",
  keyId: "k",
  name: "k",
  userId: USER,
  scopes: new Set(scopes),
  ...(folder !== undefined && { folder }),
});

async function addTask(title: string, { day = 1, description = "", id = v7() } = {}): Promise<string> {
  await query(
    `INSERT INTO tasks (id, title, description, creator_id, created_at, modified_at, search_text)
     VALUES ($1, $2, $3, $4, now(), $5, '')`,
    [id, title, description, USER, new Date(Date.UTC(2026, 0, day))],
  );
  return id;
}

async function addNote(title: string, path: string, content: string): Promise<string> {
  const id = v7();
  await query(
    `INSERT INTO documents (id, creator_id, title, path, directory, link_name, file_type, content_hash, size_bytes, mtime_ns,
       birthtime_ns, inode, created_at, modified_at, search_text)
     VALUES ($1, $2, $3, $4, '', '', 'markdown', '', 0, 0, 0, 0, now(), '2026-01-01', '')`,
    [id, USER, title, path],
  );
  await query("INSERT INTO document_texts (document_id, content_hash, content, search_text) VALUES ($1, '', $2, '')", [
    id,
    content,
  ]);
  return id;
}

async function addOneOfEach() {
  const [conversation, message, agent, run, secret, event] = Array.from({ length: 6 }, () => v7());
  const task = await addTask("Water the zucchini", { description: "Every **morning**" });
  const note = await addNote(
    "Garden",
    "home/garden.md",
    "---\ntags: [a]\n---\n# Beds\n\nThe [zucchini](z.md) likes sun.",
  );
  await query(
    "INSERT INTO conversations (id, session_id, title, started_at, creator_id) VALUES ($1, 's', 'Dinner', now(), $2)",
    [conversation, USER],
  );
  await query(
    `INSERT INTO messages (id, conversation_id, role, content, after_seq, created_at, search_text)
     VALUES ($1, $2, 'user', '[{"type":"text","text":"What about zucchini soup?"}]', 0, now(), '')`,
    [message, conversation],
  );
  await query(
    `INSERT INTO agents (id, name, schedule, prompt, scheduled_since, creator_id, created_at, updated_at)
     VALUES ($1, 'Gardener', '* * * * *', 'Count every zucchini', now(), $2, now(), now())`,
    [agent, USER],
  );
  await query(
    `INSERT INTO agent_runs (id, agent_id, status, trigger, output, started_at)
     VALUES ($1, $2, 'success', 'manual', 'Counted 12 zucchini', now())`,
    [run, agent],
  );
  await query(
    "INSERT INTO secrets (id, key, envelope, created_at, updated_at) VALUES ($1, 'ZUCCHINI_TOKEN', 'zebra', now(), now())",
    [secret],
  );
  await query(
    `INSERT INTO hook_events (id, event_type, session_id, event_data, created_at)
     VALUES ($1, 'UserPromptSubmit', 'abc', '{"prompt":"Plant a zucchini"}', now())`,
    [event],
  );
  const memory = await createMemoryService(deps).store({
    content: "The zucchini bed is in the south",
    chunkType: "fact",
  });
  const transcripts = createSessionTranscriptService({ ...deps, keepsTranscripts: true });
  await transcripts.add({ sessionId: "def", projectPath: null }, [
    { kind: "assistant", text: "The zucchini is planted." },
  ]);
  await createTurnIndex(deps).catchUp();
  await index().catchUp();
  return { task, note, conversation, agent, run, secret, memory: memory.id };
}

describe("one search", () => {
  test("finds things of every kind, with an excerpt without markup, a time and a page", async () => {
    const ids = await addOneOfEach();
    const hits = await search("zucchini");
    const urls = new Map(hits.map(({ kind, id, url }) => [`${kind} ${id}`, url]));
    expect(urls).toEqual(
      new Map([
        [`task ${ids.task}`, `/tasks?task=${ids.task}`],
        [`document ${ids.note}`, `/documents?doc=${ids.note}`],
        [`conversation ${ids.conversation}`, `/chat?conversation=${ids.conversation}`],
        [`memory ${ids.memory}`, `/memory?memory=${ids.memory}`],
        ["session abc", "/hooks/sessions/abc"],
        ["session def", "/hooks/sessions/def?turn=1"],
        [`agent ${ids.agent}`, `/agents/${ids.agent}`],
        [`run ${ids.run}`, `/agents/${ids.agent}?run=${ids.run}`],
        [`secret ${ids.secret}`, "/secrets?secret=ZUCCHINI_TOKEN"],
      ]),
    );
    const note = hits.find(({ kind }) => kind === "document");
    expect(note).toMatchObject({ title: "Garden", excerpt: "Beds The zucchini likes sun." });
    expect(note?.excerptMatches).toEqual([{ start: 9, end: 17 }]);
    expect(hits[0]).toMatchObject({ kind: "secret", title: "ZUCCHINI_TOKEN", titleMatches: [{ start: 0, end: 8 }] });
    expect(JSON.stringify(hits)).not.toContain("zebra");
    expect(await titles("zebra")).toEqual([]);
  });

  test("returns what a key's scopes and folder permit, and nothing else", async () => {
    const ids = await addOneOfEach();
    await addNote("Elsewhere", "work/zucchini.md", "zucchini");
    await index().catchUp();
    const kindsFor = async (principal: Principal) =>
      new Set((await search("zucchini", {}, principal)).map(({ kind, id }) => `${kind} ${id}`));
    expect(await kindsFor(keyWith(["tasks:read"]))).toEqual(new Set([`task ${ids.task}`]));
    expect(await kindsFor(keyWith(["agents:read"]))).toEqual(new Set([`agent ${ids.agent}`]));
    expect(await kindsFor(keyWith(["memory:read"]))).toEqual(
      new Set([`memory ${ids.memory}`, "session abc", "session def"]),
    );
    expect(await kindsFor(keyWith(["knowledge:read"], "home"))).toEqual(new Set([`document ${ids.note}`]));
    expect(await kindsFor(keyWith(["knowledge:read", "tasks:read"], "home"))).toEqual(
      new Set([`document ${ids.note}`, `task ${ids.task}`]),
    );
    // Moved out of the folder, and not indexed since.
    await query("UPDATE documents SET path = 'work/garden.md' WHERE id = $1", [ids.note]);
    expect(await kindsFor(keyWith(["knowledge:read"], "home"))).toEqual(new Set());
    expect(await kindsFor(keyWith(["hooks"]))).toEqual(new Set());
    await expect(search("zucchini", { kinds: ["secret"] }, keyWith(["tasks:read"]))).rejects.toThrow(ForbiddenError);
  });

  test("ranks titles before texts, and among equals what is recent", async () => {
    await addTask("Ship it", { day: 1, description: "after the backup" });
    await addTask("Check that the backup works", { day: 2 });
    await addTask("Backup of photos", { day: 3 });
    await addTask("Backup", { day: 4 });
    await addTask("Backup of mail", { day: 5 });
    await addTask("Is there a backup?", { day: 6 });
    await index().catchUp();
    expect(await titles("backup")).toEqual([
      "Backup",
      "Backup of mail",
      "Backup of photos",
      "Is there a backup?",
      "Check that the backup works",
      "Ship it",
    ]);
    expect(await titles("backup photos")).toEqual(["Backup of photos"]);
    expect(await titles("backup", { limit: 1 })).toEqual(["Backup"]);
    expect(await titles("backup", { kinds: ["document", "agent"] })).toEqual([]);
  });

  test("finds words in any form, begun and misspelt ones, and other scripts", async () => {
    await addTask("Deploying the checkout");
    await addTask("会議の準備");
    await addTask("לקנות חלב");
    await index().catchUp();
    for (const text of ["deployed", "deploy checkout", "chec", "chekcout", "deploing", "the deployment checkou"]) {
      expect([text, await titles(text)]).toEqual([text, ["Deploying the checkout"]]);
    }
    const [hit] = await search("chekcout");
    expect(hit?.titleMatches).toEqual([{ start: 14, end: 22 }]);
    expect(await titles("準備")).toEqual(["会議の準備"]);
    expect(await titles("חלב")).toEqual(["לקנות חלב"]);
  });

  test("finds nothing for what is no word, whatever it is", async () => {
    await addTask("Water the zucchini");
    await index().catchUp();
    for (const text of ["%", "_", "\\", "'", ":*", "& | !", "<->", "the", "x".repeat(1000), "\u202e\u200f", "😀"]) {
      expect([text, await titles(text)]).toEqual([text, []]);
    }
    expect(await titles(`zucchini ${Array.from({ length: 300 }, (_, number) => `w${number}`).join(" ")}`)).toHaveLength(
      1,
    );
  });
});

describe("the index of one search", () => {
  test("follows changes of titles, texts and deletions", async () => {
    const id = await addTask("Buy apples");
    const note = await addNote("Fruit", "fruit.md", "apples");
    await index().catchUp();
    expect(await titles("apples")).toEqual(["Buy apples", "Fruit"]);
    await query("UPDATE tasks SET title = 'Buy pears' WHERE id = $1", [id]);
    await query("UPDATE document_texts SET content = 'pears' WHERE document_id = $1", [note]);
    await index().catchUp();
    expect(await titles("apples")).toEqual([]);
    expect(await titles("pears")).toEqual(["Buy pears", "Fruit"]);
    await query("UPDATE tasks SET deleted_at = now() WHERE id = $1", [id]);
    // What is deleted is not shown even before it is indexed.
    expect(await titles("pears")).toEqual(["Fruit"]);
    await query("DELETE FROM documents WHERE id = $1", [note]);
    await index().catchUp();
    expect((await query("SELECT FROM search_entries")).rowCount).toBe(0);
  });

  test("a document is indexed once when its text is written, and when anything else of it changes", async () => {
    const id = await addNote("Fruit", "fruit.md", "apples");
    const changesAfter = async (change: string): Promise<number | null> => {
      await index().catchUp();
      await query(`UPDATE documents SET ${change} WHERE id = $1`, [id]);
      return (await query("SELECT FROM search_changes")).rowCount;
    };
    // As a write records it, before the text is stored.
    expect(await changesAfter("content_hash = 'pears', modified_at = now(), title = 'Pears', tags = '{}'")).toBe(0);
    await query("UPDATE document_texts SET content_hash = 'pears', content = 'pears' WHERE document_id = $1", [id]);
    expect((await query("SELECT FROM search_changes")).rowCount).toBe(1);
    expect(await changesAfter("title = 'Given'")).toBe(1);
    expect(await titles("given")).toEqual([]);
    await index().catchUp();
    expect(await titles("given pears")).toEqual(["Given"]);
    expect(await changesAfter("content_hash = 'moved', path = 'moved.md'")).toBe(1);
    expect(await changesAfter("content_hash = 'image', file_type = 'binary', modified_at = now()")).toBe(1);
    expect(await changesAfter("content_hash = 'gone', deleted_at = now()")).toBe(1);
  });

  test("keeps a change that could not be indexed, and two processes share the work", async () => {
    for (let number = 0; number < 450; number += 1) await addTask(`Task number${number}`);
    const broken = createSearchIndex({
      ...deps,
      db: { ...database.db, pool: new Proxy(database.db.pool, { get: () => () => Promise.reject(new Error("away")) }) },
    });
    await expect(broken.catchUp()).rejects.toThrow("away");
    await Promise.all([index().catchUp(), index().catchUp()]);
    await index().catchUp();
    expect(await titles("number0")).toEqual(["Task number0"]);
    expect((await query("SELECT FROM search_entries")).rowCount).toBe(450);
    expect((await query("SELECT FROM search_changes")).rowCount).toBe(0);
  });

  test("lets a search wait for what this process has just published", async () => {
    const running = index();
    await running.start();
    await running.settled();
    const service = createSearchService({ db: database.db, textIndexer, searchIndex: running });
    for (let number = 0; number < 5; number += 1) {
      const id = await addTask(`Walk ${number} dogs`);
      deps.events.publish({ resource: "task", action: "create", resourceId: id, resourceName: null });
      const hits = await service.find({ q: `walk ${number} dogs`, limit: 1 }, ADA);
      expect(hits.map((hit) => hit.id)).toEqual([id]);
    }
    await running.close();
  });

  test("a search does not wait until the index has rested", async () => {
    let delayMs = 2_000;
    const slowConnect = async () => {
      const forMs = delayMs;
      delayMs = 0;
      await sleep(forMs);
      return database.db.pool.connect();
    };
    const pool = new Proxy(database.db.pool, { get: (_pool, name) => (name === "connect" ? slowConnect : query) });
    await addTask("Wash the dishes");
    const running = createSearchIndex({ ...deps, db: { ...database.db, pool } });
    await running.start();
    while ((await query("SELECT FROM search_changes")).rowCount !== 0) await sleep(10);
    // It now rests for as long as its first transaction took, which is longer than a search waits for it.
    const id = await addTask("Dry the dishes");
    deps.events.publish({ resource: "task", action: "create", resourceId: id, resourceName: null });
    const service = createSearchService({ db: database.db, textIndexer, searchIndex: running });
    expect((await service.find({ q: "dry", limit: 1 }, ADA)).map((hit) => hit.id)).toEqual([id]);
    await running.close();
  });
});
