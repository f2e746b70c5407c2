import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FlakyServer, type StoredEvent, startFlakyServer } from "./support/flaky-server.ts";
import {
  CODEX_FAILED_COMMAND,
  GEMINI_FAILED_COMMAND,
  GEMINI_HOOK_CONTEXT,
  OPENCODE_CALLS,
  TASK_NOTIFICATION,
} from "./support/recorded-events.ts";
import { TemporaryHome, eventually } from "./support/temporary-home.ts";

/** What real assistants sent, handled as it must be. */

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  home.configure(server.url);
});

afterEach(async () => {
  await server.close();
  home.close();
});

test("of a prompt, only what a person wrote is judged and recorded", async () => {
  home.setPolicy({
    version: 1,
    rules: [{ id: "code", decision: "deny", reason: "No code words.", when: { prompt: "HERON-[0-9]+" } }],
  });
  const stdin = (prompt: string) => ({
    stdin: JSON.stringify({ session_id: "session-1", cwd: home.project, hook_event_name: "BeforeAgent", prompt }),
  });
  const asGemini = (prompt: string) => home.run(["run", "BeforeAgent", "--for", "gemini-cli"], stdin(prompt));
  const ended = await home.hook("UserPromptSubmit", { prompt: TASK_NOTIFICATION });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect((await asGemini(`${GEMINI_HOOK_CONTEXT}How are invoices sent?`)).exitCode).toBe(0);
  expect((await asGemini(`${GEMINI_HOOK_CONTEXT}Ask HERON-1.`)).exitCode).toBe(2);
  expect((await home.hook("UserPromptSubmit", { prompt: `${TASK_NOTIFICATION}\nAsk HERON-2.` })).exitCode).toBe(2);
  await home.run(["flush"]);
  const prompts = [...server.events.values()].map(({ eventData }) => (eventData as { prompt: string }).prompt);
  expect(prompts.toSorted()).toEqual(["Ask HERON-1.", "Ask HERON-2.", "How are invoices sent?"]);
});

test.each([
  ["codex", "PostToolUse", CODEX_FAILED_COMMAND.payload],
  ["gemini-cli", "AfterTool", GEMINI_FAILED_COMMAND],
])("a shell command that fails is a failure, though %s reports it like any other", async (harness, event, payload) => {
  const transcript_path = home.write("t.jsonl", `${JSON.stringify(CODEX_FAILED_COMMAND.transcriptLine)}\n`);
  const report = (more: object) => {
    const stdin = JSON.stringify({ session_id: "s", cwd: home.project, transcript_path, ...payload, ...more });
    return home.run(["run", event, "--for", harness], { stdin });
  };
  await report({});
  await report({ tool_use_id: "another", tool_response: { llmContent: "Output: Exit Code: 2\n" } });
  await home.run(["flush"]);
  const events = [...server.events.values()].toSorted((one, other) => (one.eventType < other.eventType ? 1 : -1));
  expect(events).toMatchObject([
    { eventType: "PostToolUseFailure", eventData: { error: "exit code 2" } },
    { eventType: "PostToolUse" },
  ]);
});

test("opencode's plugin reports a session to its end, with what was said", async () => {
  await home.run(["install", "--server", server.url, "--key", "wk_given", "--for", "opencode"]);
  const plugin = join(home.path, ".config/opencode/plugins/workspace-hooks.js");
  const { WorkspaceHooks } = (await import(pathToFileURL(plugin).href)) as {
    WorkspaceHooks: (context: object) => Promise<Record<string, (...args: unknown[]) => Promise<void>>>;
  };
  const functions = await WorkspaceHooks({ directory: home.project });
  for (const [name, ...args] of OPENCODE_CALLS) await functions[name]?.(...args);
  await eventually(() => server.transcripts.length > 0);
  await home.run(["flush"]);
  expect([...server.events.values()].map(({ eventType }) => eventType).toSorted()).toEqual([
    "PostToolUseFailure",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "UserPromptSubmit",
  ]);
  expect(server.transcripts[0]).toMatchObject({ sessionId: "ses_df7ed679bffeDPVVYvK45h73EG" });
  expect(server.transcripts[0]?.transcript).toContain("keep the retries at five");
});

test("what a session said so far is handed over before it is compacted, and nothing of it is an event", async () => {
  const content = "We keep the retries at five. ".repeat(20);
  const line = `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
  const session = { transcript_path: home.write("t.jsonl", line) };
  await home.hook("Stop", { ...session, stop_hook_active: false, last_assistant_message: "Done." });
  expect(home.list(".workspace-hooks/sessions")).toHaveLength(1);
  await home.hook("PreCompact", { ...session, trigger: "auto", custom_instructions: null });
  await eventually(() => server.transcripts.length > 0);
  expect(server.events.size + home.spooled.length).toBe(0);
});

test("the version of an assistant is recorded at a session's start, where the assistant tells it", async () => {
  const transcript_path = home.write("rollout.jsonl", '{"type":"session_meta","payload":{"cli_version":"0.169.0"}}\n');
  const start = (session_id: string, harness: string, payload: object, env = {}) =>
    home.run(["run", "SessionStart", "--for", harness], {
      stdin: JSON.stringify({ session_id, cwd: home.project, source: "startup", ...payload }),
      env,
    });
  await start("a", "claude-code", {}, { AI_AGENT: "claude-code_2-1-332_harness" });
  await start("b", "codex", { transcript_path });
  await start("c", "codex", { transcript_path: join(home.path, "none.jsonl") });
  await start("d", "opencode", { version: "1.18.33" });
  await start("e", "opencode", { version: "<b>".repeat(100) });
  await home.run(["flush"]);
  const versionOf = ({ eventData }: StoredEvent) => (eventData as { harnessVersion?: string }).harnessVersion;
  const versions = [...server.events.values()].map((event) => [event["sessionId"], versionOf(event)]);
  expect(Object.fromEntries(versions)).toEqual({
    a: "2.1.332",
    b: "0.169.0",
    c: undefined,
    d: "1.18.33",
    e: undefined,
  });
});

test("what is pending is counted in words that fit the number", async () => {
  server.behaviour = "failing";
  await home.bash("one");
  expect((await home.run(["status"])).stdout).toContain("Pending: 1 event, 0 sessions.");
  server.behaviour = "up";
  expect((await home.run(["flush"])).stdout).toMatch(/^(?:1 event|0 events) sent, 0 refused by the server, 0 left\.$/m);
});
