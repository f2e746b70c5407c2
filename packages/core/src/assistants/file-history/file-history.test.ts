import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { createHookEventService } from "../hooks/hook-event.service.ts";
import { createMemoryService } from "../memory/memory.service.ts";
import { createTurnIndex } from "../session-search/turn-index.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import type { Why } from "./file-history.schema.ts";
import { createFileHistoryService } from "./file-history.service.ts";
import { lineKeys, packKeys } from "./written-lines.ts";

const PROJECT = "github.com/ada/shop";
const LIMITS = "export const LIMIT = 100;\nexport const BURST = 20;";
const RETRY = "export async function retry(call) {\n  for (const delay of DELAYS) await attempt(call, delay);\n}";

let database: TestDatabase;
let deps: TestDeps;
let minute = 0;
const at = () => new Date(Date.UTC(2026, 5, 1, 8, minute++)).toISOString();

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, "2026-06-02T12:00:00Z");
  await prompt("limits", "Limit the requests per minute");
  await write("limits", "src/limits.ts", LIMITS);
  await prompt("limits", "Now something else");
  await prompt("limits", "<task-notification>done</task-notification>");
  await write("retry", "src/retry.ts", RETRY);
  await write("cleanup", "src/limits.ts", "// Requests per minute");
  await write("elsewhere", "src/limits.ts", LIMITS, "github.com/ada/other");
});
afterAll(() => database.close());

async function prompt(sessionId: string, text: string): Promise<void> {
  const event = { eventType: "UserPromptSubmit" as const, sessionId, eventData: { prompt: text }, occurredAt: at() };
  await createHookEventService(deps).record(event);
}

async function write(sessionId: string, path: string, text: string, project = PROJECT, root = "/home/ada/shop") {
  const files = [{ path, lines: packKeys(lineKeys(text)) }];
  const eventData = { project, writtenLines: { root, files } };
  await createHookEventService(deps).record({ eventType: "PostToolUse", sessionId, eventData, occurredAt: at() });
}

const ask = (path: string, over: Partial<Why> = {}) =>
  createFileHistoryService(deps).why({ path, limit: 5, projectPath: PROJECT, ...over });
const sessionsOf = async (path: string, over: Partial<Why> = {}) =>
  (await ask(path, over)).sessions.map(({ sessionId, role }) => `${sessionId} ${role}`);

test("lines lead to the session that wrote them, and to what it had been asked", async () => {
  const why = await ask("src/limits.ts", { lines: `  ${LIMITS}\n}` });
  expect(why).toMatchObject({ path: "src/limits.ts", projectPath: PROJECT, lines: 2, memories: [] });
  expect(why.sessions).toEqual([
    {
      sessionId: "limits",
      role: "wrote",
      lines: 2,
      touchedAt: "2026-06-01T08:01:00.000Z",
      prompt: { text: "Limit the requests per minute", askedAt: "2026-06-01T08:00:00.000Z" },
      turn: null,
      link: "/hooks/sessions/limits",
      memories: [],
    },
    expect.objectContaining({ sessionId: "cleanup", role: "changed_file", lines: 0, prompt: null }),
  ]);
});

test("a file is found from its folder, from a folder in it, by its whole path, and in any project", async () => {
  const expected = ["limits wrote", "cleanup changed_file"];
  const find = (path: string, projectPath?: string) => sessionsOf(path, { lines: LIMITS, projectPath });
  expect(await find("src/limits.ts", PROJECT)).toEqual(expected);
  await write("other clone", "README.md", "", PROJECT, "/srv/shop");
  expect(await find("./src/limits.ts", "/srv/shop/")).toEqual(expected);
  expect(await find("limits.ts", "/srv/shop/src")).toEqual(expected);
  expect(await find("/srv/shop/src/limits.ts")).toEqual(expected);
  const anywhere = ["elsewhere wrote", "limits wrote_before", "cleanup changed_file"];
  expect(await find("src/limits.ts")).toEqual(anywhere);
  expect(await find("/new/clone/src/limits.ts", "/new/clone")).toEqual(anywhere);
  expect(await find("src/limits.ts", "github.com/ada/none")).toEqual([]);
});

test("a path begins at the root of the repository, wherever in it sessions worked", async () => {
  const expected = ["limits wrote", "cleanup changed_file"];
  const start = (projectDir: string) =>
    createHookEventService(deps).record({
      eventType: "SessionStart",
      sessionId: "inside",
      projectDir,
      eventData: { project: PROJECT },
      occurredAt: at(),
    });
  for (const folder of ["", "/src", "/.worktrees/new"]) await start(`/home/ada/shop${folder}`);
  const find = async (path: string, projectPath?: string) => {
    const why = await ask(path, { lines: LIMITS, projectPath });
    expect(why.path).toBe("src/limits.ts");
    return why.sessions.map(({ sessionId, role }) => `${sessionId} ${role}`);
  };
  for (const project of [undefined, PROJECT, "/home/ada/shop", "/home/ada/shop/src", "file:///home/ada/shop/src/"])
    expect(await find("/home/ada/shop/src/limits.ts", project)).toEqual(expected);
  expect(await find("file:///home/ada/shop/%73rc/limits.ts")).toEqual(expected);
  expect(await find("limits.ts", "/home/ada/shop/src")).toEqual(expected);
  await write("worktree", "README.md", "", PROJECT, "/home/ada/shop/.worktrees/new");
  expect(await find("/home/ada/shop/.worktrees/new/src/limits.ts")).toEqual(expected);
  // In a clone whose files no session has changed yet.
  for (const folder of ["/src", ""]) await start(`/srv/clone${folder}`);
  expect(await find("/srv/clone/src/limits.ts")).toEqual(expected);
});

test("the lines of a renamed file lead to whoever wrote them under its former name", async () => {
  await write("rename", "lib/again.ts", "// Renamed");
  expect(await sessionsOf("lib/again.ts", { lines: RETRY })).toEqual(["retry wrote_elsewhere", "rename changed_file"]);
});

test("a line that other projects have everywhere leads to who wrote it in this one", async () => {
  const line = "export default retry;";
  for (let count = 0; count < 50; count += 1)
    await write(`other ${count}`, `src/${count}.ts`, line, "github.com/ada/many");
  await write("default", "src/default.ts", line);
  expect(await sessionsOf("lib/renamed.ts", { lines: line })).toEqual(["default wrote_elsewhere"]);
  expect(await sessionsOf("lib/renamed.ts", { lines: line, projectPath: undefined })).toEqual([]);
});

test("without lines, the sessions that changed a file last come first", async () => {
  expect(await sessionsOf("src/limits.ts")).toEqual(["cleanup changed_file", "limits changed_file"]);
  expect(await sessionsOf("src/limits.ts", { limit: 1 })).toEqual(["cleanup changed_file"]);
});

test("what a session was asked is read in its transcript if hooks did not report it", async () => {
  const transcripts = createSessionTranscriptService({ ...deps, keepsTranscripts: true });
  const before = at();
  await write("kept", "src/kept.ts", RETRY);
  const turns = [
    { kind: "user" as const, text: "Retry what fails", occurredAt: before },
    { kind: "tool_call" as const, toolName: "Edit", text: "{}", occurredAt: before },
    { kind: "user" as const, text: "And now the tests", occurredAt: at() },
  ];
  await transcripts.add({ sessionId: "kept", projectPath: PROJECT }, turns);
  await createTurnIndex(deps).catchUp();
  const [first] = (await ask("src/kept.ts", { lines: RETRY })).sessions;
  expect(first).toMatchObject({
    sessionId: "kept",
    prompt: { text: "Retry what fails", askedAt: before },
    turn: 2,
    link: "/hooks/sessions/kept?turn=2",
  });
});

test("memories of the sessions are listed with them, and others that rest on the file beside them", async () => {
  const memory = createMemoryService(deps);
  const store = async (content: string, over: object = {}) =>
    (await memory.store({ content, chunkType: "decision", projectPath: PROJECT, ...over })).id;
  const learnt = await store("Requests are limited for the sake of the payment service.", { sessionId: "limits" });
  const citing = await store("The limit is checked by the proxy.", { citations: [{ path: "src/limits.ts" }] });
  await store("Some other project.", { projectPath: "/x", citations: [{ path: "src/limits.ts" }] });
  const replaced = await store("The limit is 50.", { sessionId: "limits" });
  await store("The limit is 100.", { supersedes: [replaced], projectPath: PROJECT });
  const why = await ask("src/limits.ts", { lines: LIMITS });
  expect(why.sessions[0]?.memories.map(({ id }) => id)).toEqual([learnt]);
  expect(why.memories).toEqual([
    expect.objectContaining({ id: citing, citesFile: true, content: "The limit is checked by the proxy." }),
  ]);
});
