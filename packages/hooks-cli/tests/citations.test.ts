import { afterEach, beforeEach, expect, test } from "vitest";
import { type FlakyServer, type StoredMemory, startFlakyServer } from "./support/flaky-server.ts";
import { TemporaryHome, eventually } from "./support/temporary-home.ts";

const FILE = "work/project/src/limits.ts";
const SOURCE = "export const LIMIT = 100; // requests per minute\n";
const LIMIT: StoredMemory = {
  id: "11111111-1111-7111-8111-111111111111",
  chunkType: "fact",
  content: "The limit in src/limits.ts is 100 requests per minute.",
  createdAt: new Date().toISOString(),
};
const CITATION = { id: "c1", memoryId: LIMIT.id, path: "src/limits.ts", startLine: 1, endLine: 1, state: "unchecked" };

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  home.configure(server.url, { contextDeadlineMs: 1_200 });
  home.write(FILE, SOURCE);
});
afterEach(async () => {
  await server.close();
  home.close();
});

/** Starts a session whose helper reports the citation and stores what it found. */
async function startFirstSession(): Promise<Record<string, unknown>> {
  server.memories = [LIMIT];
  server.context = LIMIT.content;
  server.citations = [CITATION];
  await home.hook("SessionStart", { source: "startup", session_id: "first" });
  const isDone = () => server.citationChecks.length > 0 && home.list(".workspace-hooks/indexes").length === 2;
  await eventually(isDone);
  return server.citationChecks[0] ?? {};
}

const excluded = () =>
  server.requests
    .filter(({ url }) => url.startsWith("/api/memory/context?"))
    .map(({ url }) => new URLSearchParams(url.slice(url.indexOf("?"))).getAll("exclude"));

test("the start of a session finds the lines that memories rest on, and reports by what they are found again", async () => {
  expect(await startFirstSession()).toEqual({
    id: "c1",
    holds: true,
    path: "src/limits.ts",
    startLine: 1,
    endLine: 1,
    fingerprint: expect.stringMatching(/^1-/),
  });
  expect(excluded()).toEqual([[]]);
});

test("a session is given no memory whose lines have changed, not at its start, with a prompt, or for a file", async () => {
  await startFirstSession();
  home.write(FILE, SOURCE.replace("100", "200"));
  await home.hook("SessionStart", { source: "startup", session_id: "second" });
  await home.hook("UserPromptSubmit", { prompt: "What is the limit of requests per minute?", session_id: "second" });
  expect(excluded().slice(1)).toEqual([[LIMIT.id], [LIMIT.id]]);
  server.behaviour = "failing";
  const prompt = { prompt: "Which limit in src/limits.ts holds per minute?", session_id: "second" };
  expect((await home.hook("UserPromptSubmit", prompt)).stdout).toBe("");
  const read = { tool_name: "Read", tool_input: { file_path: home.write(FILE, "") }, session_id: "second" };
  expect((await home.hook("PreToolUse", read)).stdout).toBe("");
  expect((await home.hook("PreToolUse", { ...read, session_id: "third" })).stdout).toContain(LIMIT.content);
});

test("that lines have changed is reported by the session that withholds them, also right after another one", async () => {
  const { fingerprint } = await startFirstSession();
  server.citations = [{ ...CITATION, fingerprint, state: "holds" }];
  server.citationChecks.length = 0;
  home.write(FILE, "");
  await home.hook("SessionStart", { source: "startup", session_id: "second" });
  await eventually(() => server.citationChecks.length > 0);
  expect(server.citationChecks).toEqual([{ id: "c1", holds: false }]);
});

test("that what is cited was never there is reported", async () => {
  const quote = "const port = 9999;";
  server.citations = [{ ...CITATION, startLine: null, endLine: null, quote }];
  server.memories = [LIMIT];
  await home.hook("SessionStart", { source: "startup", session_id: "first" });
  await eventually(() => server.citationChecks.length > 0);
  expect(server.citationChecks).toEqual([{ id: "c1", holds: false }]);
});

test("that lines have changed is reported, and that they are back", async () => {
  const { fingerprint } = await startFirstSession();
  const restart = async (state: string, text: string) => {
    server.citations = [{ ...CITATION, fingerprint, state }];
    server.citationChecks.length = 0;
    home.write(FILE, text);
    expect(
      (
        await home.run([
          "flush",
          "--background",
          "--project",
          home.project,
          "--folder",
          home.project,
          "--root",
          home.project,
        ])
      ).exitCode,
    ).toBe(0);
  };
  await restart("holds", "");
  expect(server.citationChecks).toEqual([{ id: "c1", holds: false }]);
  await home.hook("SessionStart", { source: "startup", session_id: "after the report" });
  expect(excluded().at(-1)).toEqual([]);
  await restart("broken", SOURCE);
  expect(server.citationChecks).toMatchObject([{ id: "c1", holds: true }]);
  await restart("holds", SOURCE);
  expect(server.citationChecks).toEqual([]);
});
