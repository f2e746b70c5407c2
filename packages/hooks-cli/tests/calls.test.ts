import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Assistant } from "./support/assistant.ts";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";
import { TemporaryHome } from "./support/temporary-home.ts";

/** What tools did, as it is read from the transcript. */

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  await home.run(["install", "--server", server.url, "--key", "wk_given"]);
});

afterEach(async () => {
  await server.close();
  home.close();
});

function session(sessionId: string): Assistant {
  return new Assistant({
    settingsFiles: [join(home.path, ".claude/settings.json")],
    cwd: home.project,
    env: home.env,
    sessionId,
    transcriptPath: transcriptOf(sessionId),
  });
}

function transcriptOf(sessionId: string): string {
  return join(home.path, `${sessionId}.jsonl`);
}

function stored(sessionId: string): readonly any[] {
  return [...server.events.values()].filter((event) => event["sessionId"] === sessionId);
}

function results(sessionId: string): readonly any[] {
  const useId = (event: any): string => event.eventData.toolUseId;
  return stored(sessionId)
    .filter(({ eventType }) => eventType.startsWith("PostToolUse"))
    .toSorted((one, other) => (useId(one) < useId(other) ? -1 : 1));
}

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

test("everything that tools did is recorded once, without secrets, though the server was away", async () => {
  const assistant = session("session-away");
  await assistant.start();
  server.behaviour = "failing";
  await assistant.prompt("Go");
  await assistant.tool("Write", { file_path: join(home.project, "a.txt"), content: `key=${SECRET}\nline\n` });
  await assistant.tool("Bash", { command: "false" }, "Exit code 1");
  await assistant.tool("Read", { file_path: join(home.project, "a.txt") });
  await assistant.stop();
  server.behaviour = "up";
  // A helper may be reading.
  for (let tries = 0; tries < 20 && results("session-away").length < 3; tries += 1) await home.run(["flush"]);
  await assistant.stop();
  await home.run(["flush"]);
  expect(results("session-away").map(({ eventType, toolName }) => [eventType, toolName])).toEqual([
    ["PostToolUse", "Write"],
    ["PostToolUseFailure", "Bash"],
    ["PostToolUse", "Read"],
  ]);
  const [write, failure] = results("session-away");
  expect(write).toMatchObject({
    projectDir: home.project,
    eventData: { toolUseId: "toolu_01", harness: "claude-code" },
  });
  expect(write.eventData.writtenLines.files[0]).toMatchObject({ path: "a.txt" });
  expect(failure.eventData).toMatchObject({ error: "Exit code 1", toolInput: { command: "false" } });
  expect(JSON.stringify([...server.events.values()])).not.toContain(SECRET);
});

test("a session that continues another does not repeat what that one did", async () => {
  const first = session("session-first");
  await first.start();
  await first.tool("Read", { file_path: "a.txt" });
  await first.stop();
  const second = session("session-second");
  await second.start("fork");
  copyFileSync(transcriptOf("session-first"), transcriptOf("session-second"));
  await second.tool("Read", { file_path: "b.txt" });
  await second.stop();
  await home.run(["flush"]);
  const all = [...results("session-first"), ...results("session-second")];
  expect(all.map(({ eventData }) => eventData.toolInput.file_path).toSorted()).toEqual(["a.txt", "b.txt"]);
});

test("a call that was refused is no failure of the tool", async () => {
  const when = { command: { program: ["touch"] } };
  home.setPolicy({ version: 1, rules: [{ id: "no-touch", decision: "deny", reason: "No.", when }] });
  const assistant = session("session-refused");
  await assistant.start();
  await assistant.tool("Bash", { command: "touch a" });
  await assistant.stop();
  await home.run(["flush"]);
  expect(results("session-refused")).toEqual([]);
  expect(stored("session-refused").filter(({ blocked }) => blocked)).toHaveLength(1);
});

test("nothing is read of what was done while events were off", async () => {
  const assistant = session("session-off");
  await assistant.start();
  await home.run(["events", "off"]);
  await assistant.tool("Read", { file_path: "hidden.txt" });
  await assistant.stop();
  await home.run(["events", "on"]);
  await assistant.stop();
  await assistant.tool("Read", { file_path: "seen.txt" });
  await assistant.stop();
  await home.run(["flush"]);
  expect(results("session-off").map(({ eventData }) => eventData.toolInput.file_path)).toEqual(["seen.txt"]);
});

test("nothing is read of what was done while events were off within a turn", async () => {
  const assistant = session("session-off-between");
  await assistant.start();
  await assistant.tool("Read", { file_path: "before.txt" });
  await home.run(["events", "off"]);
  await assistant.tool("Read", { file_path: "hidden.txt" });
  await home.run(["flush"]);
  await home.run(["events", "on"]);
  await assistant.tool("Read", { file_path: "seen.txt" });
  await assistant.stop();
  await home.run(["flush"]);
  expect(results("session-off-between").map(({ eventData }) => eventData.toolInput.file_path)).toEqual([
    "before.txt",
    "seen.txt",
  ]);
});

test("settings of an older version, with a hook after each tool, record nothing twice", async () => {
  const assistant = session("session-old");
  await assistant.start();
  await assistant.tool("Read", { file_path: "a.txt" });
  const call = { tool_name: "Read", tool_input: { file_path: "a.txt" }, tool_use_id: "toolu_01", tool_response: "x" };
  const transcript_path = transcriptOf("session-old");
  await home.hook("PostToolUse", { session_id: "session-old", transcript_path, ...call });
  await home.run(["flush"]);
  expect(results("session-old")).toHaveLength(1);
});
