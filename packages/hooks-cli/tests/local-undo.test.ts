import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Request, type TestServer, startTestServer } from "../../api-rest/tests/test-server.ts";
import { createHooksKey } from "./support/hooks-key.ts";
import { TemporaryHome } from "./support/temporary-home.ts";

/** A turn is undone through the server whose machine has the project, in the way of the command. */

let home: TemporaryHome;
let server: TestServer;
let key: string;
let person: Request;

beforeAll(async () => {
  home = new TemporaryHome();
  server = await startTestServer({ WORKSPACE_HOOKS_HOME: home.root });
  key = await createHooksKey(server);
  person = await server.signIn();
});
afterAll(async () => {
  await server.close();
  home.close();
});

let session = "";
let sessions = 0;

beforeEach(async () => {
  rmSync(join(home.root, "undo"), { recursive: true, force: true });
  await home.run(["install", "--server", server.url, "--key", key]);
  sessions += 1;
  session = `session-${sessions}`;
  home.write("work/project/a.txt", "one\n");
  home.write("work/project/b.txt", "one\n");
  await home.hook("UserPromptSubmit", { session_id: session, prompt: "Change them" });
  await home.hook("PreToolUse", {
    session_id: session,
    tool_name: "Bash",
    tool_input: { command: "echo two > a.txt" },
  });
  write("two\n");
});
afterEach(() => home.run(["uninstall"]));

function write(text: string): void {
  for (const name of ["a.txt", "b.txt"]) home.write(`work/project/${name}`, text);
}

function files(): readonly (string | undefined)[] {
  return ["a.txt", "b.txt"].map((name) => home.read(`work/project/${name}`));
}

function undo(more: object = {}, as = person) {
  return as("POST", `/api/hooks/sessions/${session}/undo`, { body: { turn: 1, folder: home.project, ...more } });
}

test("a person undoes one file, the whole turn, and takes the undo back", async () => {
  expect((await person("GET", "/api/hooks/undo")).body.data).toEqual({ isLocal: true });
  const one = await undo({ file: "b.txt" });
  expect(one.body.data).toMatchObject({
    isRefused: false,
    files: [{ path: "b.txt", change: "changed" }],
    fileCount: 1,
  });
  expect(files()).toEqual(["two\n", "one\n"]);
  expect((await undo()).body.data).toMatchObject({ fileCount: 1, skippedCount: 0, failureCount: 0 });
  expect(files()).toEqual(["one\n", "one\n"]);
  expect((await undo({ isRedo: true })).status).toBe(200);
  expect(files()).toContain("two\n");
});

test("what was undone is known, also in part and by the command, until it is brought back", async () => {
  const listed = async (as = person, folder = home.project) => {
    const path = `/api/hooks/sessions/${session}/undo?folder=${encodeURIComponent(folder)}`;
    const { status, body } = await as("GET", path);
    return status === 200 ? body.data : status;
  };
  await home.hook("Stop", { session_id: session });
  expect(await listed()).toEqual([]);
  await undo({ file: "b.txt" });
  expect(await listed()).toEqual([{ turn: 1, isEntire: false, files: ["b.txt"] }]);
  await undo({ file: "a.txt" });
  expect((await listed())[0].files.toSorted()).toEqual(["a.txt", "b.txt"]);
  await home.run(["undo", "--redo"]);
  await home.run(["undo", "--redo"]);
  expect(await listed()).toEqual([]);
  await home.run(["undo", "--session", session]);
  expect(await listed()).toEqual([{ turn: 1, isEntire: true, files: [] }]);
  expect(await listed(server.withToken)).toBe(403);
  expect(await listed(person, join(home.path, "gone"))).toBe(404);
});

test("what was changed again is left alone, unless it is forced", async () => {
  await home.hook("Stop", { session_id: session });
  await home.hook("UserPromptSubmit", { session_id: session, prompt: "More" });
  await home.hook("PreToolUse", { session_id: session, tool_name: "Bash", tool_input: { command: "rm c" } });
  home.write("work/project/a.txt", "three\n");
  expect((await undo()).body.data).toMatchObject({ fileCount: 1, skipped: ["a.txt"], skippedCount: 1 });
  expect(files()).toEqual(["three\n", "one\n"]);
  expect((await undo({ isForced: true })).body.data).toMatchObject({ fileCount: 1, skippedCount: 0 });
  expect(files()).toEqual(["one\n", "one\n"]);
});

test("while another session was at work, nothing is changed before a person has said so", async () => {
  await home.hook("PreToolUse", { session_id: "other", tool_name: "Bash", tool_input: { command: "rm c.txt" } });
  write("three\n");
  const refused = (await undo()).body.data;
  expect(refused).toMatchObject({ isRefused: true, fileCount: 2, otherSessions: [{ sessionId: "other" }] });
  expect(files()).toEqual(["three\n", "three\n"]);
  expect((await undo({ isForced: true })).body.data).toMatchObject({ isRefused: false, fileCount: 2 });
  expect(files()).toEqual(["one\n", "one\n"]);
});

test("nobody but a person can, and only what was recorded", async () => {
  expect((await undo({}, server.withToken)).status).toBe(403);
  expect((await undo({}, server.anonymous)).status).toBe(401);
  const unknown = await undo({ turn: 7 });
  expect(unknown).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("No such turn is recorded") },
  });
  expect((await undo({ folder: join(home.path, "gone") })).status).toBe(404);
  expect((await undo({ folder: "work/project" })).status).toBe(400);
  expect((await undo({ file: "../outside.txt" })).status).toBe(409);
  for (const file of ["a\u0000.txt", "", "x".repeat(5_000)]) expect((await undo({ file })).status).toBe(400);
  expect((await undo({ file: "--force" })).body.data).toMatchObject({ fileCount: 0 });
  expect(files()).toEqual(["two\n", "two\n"]);
});

test("hooks that report elsewhere, or none, are left alone", async () => {
  home.write(
    ".workspace-hooks/config.json",
    (home.read(".workspace-hooks/config.json") ?? "").replace(key, "wk_other"),
  );
  expect((await person("GET", "/api/hooks/undo")).body.data).toEqual({ isLocal: false });
  expect(await undo()).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("Run the command there") },
  });
  await home.run(["uninstall", "--purge"]);
  expect((await person("GET", "/api/hooks/undo")).body.data).toEqual({ isLocal: false });
  expect(files()).toEqual(["two\n", "two\n"]);
});
