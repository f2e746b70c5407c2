import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Request, type TestServer, startTestServer } from "../../api-rest/tests/test-server.ts";
import { Assistant } from "./support/assistant.ts";
import { createHooksKey } from "./support/hooks-key.ts";
import { playCodex, playGemini, playOpencode } from "./support/other-assistants.ts";
import { startSlowProxy } from "./support/slow-proxy.ts";
import { type Outcome, TemporaryHome, eventually } from "./support/temporary-home.ts";

/** What a person has for a running session, with a real server and the real program. */

let server: TestServer;
let person: Request;
let home: TemporaryHome;
let key: string;
let session: string;
let sessions = 0;

beforeAll(async () => {
  server = await startTestServer();
  person = await server.signIn();
  key = await createHooksKey(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  home = new TemporaryHome();
  sessions += 1;
  session = `session-to-steer-${sessions}`;
  home.configure(server.url, { key });
  const body = { eventType: "SessionStart", sessionId: session, projectDir: home.project };
  await person("POST", "/api/hooks/events", { body });
});
afterEach(() => home.close());

interface HookOptions {
  readonly harness?: string;
  readonly timeoutS?: number;
  readonly more?: object;
}

/** Runs a hook of an assistant that nothing watches, as at the first call of a turn. */
function hook(
  event: string,
  { harness = "claude-code", timeoutS = 130, more = {} }: HookOptions = {},
): Promise<Outcome> {
  const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" };
  const input = { session_id: session, cwd: home.project, hook_event_name: event, prompt: "Go on", ...tool, ...more };
  return home.run(["run", event, "--for", harness, "--timeout", String(timeoutS)], { stdin: JSON.stringify(input) });
}

/** Ends the watch that a hook has started, so that the next one asks. */
const endWatch = () => hook("SessionEnd");

const give = async (body: object): Promise<any> => {
  const response = await person("POST", `/api/hooks/sessions/${session}/instructions`, { body });
  expect(response).toMatchObject({ status: 201 });
  return response.body.data;
};
const say = (text: string) => give({ kind: "message", text });
/** How many results of calls the server knows of the session. */
const doneCalls = async (): Promise<number> => {
  const { body } = await person("GET", `/api/hooks/events?sessionId=${session}&eventType=PostToolUse`);
  return body.data.length;
};
const instructions = async (): Promise<any[]> =>
  (await person("GET", `/api/hooks/sessions/${session}/instructions`)).body.data;
const states = async () => (await instructions()).map(({ state }) => state);
const output = ({ stdout }: Outcome): any => (stdout === "" ? {} : JSON.parse(stdout));

/** Where each assistant is told something. */
const TOLD: readonly [harness: string, event: string, told: (output: any) => unknown][] = [
  ["claude-code", "UserPromptSubmit", ({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext],
  ["claude-code", "PreToolUse", ({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext],
  ["claude-code", "Stop", ({ decision, reason }) => decision === "block" && reason],
  ["codex", "PreToolUse", ({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext],
  ["codex", "Stop", ({ decision, reason }) => decision === "block" && reason],
  ["gemini-cli", "BeforeAgent", ({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext],
  ["gemini-cli", "AfterAgent", ({ decision, reason }) => decision === "deny" && reason],
  ["cursor", "postToolUse", ({ additional_context }) => additional_context],
  ["opencode", "PreToolUse", ({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext],
];

test.each(TOLD)(
  "a message reaches %s once, in order, at its next %s, as the person's",
  async (harness, event, told) => {
    await say("Use staging.");
    await say("Not on a Friday.");
    const first = await hook(event, { harness });
    expect(first.exitCode).toBe(0);
    expect(told(output(first))).toMatch(
      /^The user of this session has sent you this .*\n\n\[Ada, \d\d:\d\d UTC\]\nUse staging\.\n\n\[Ada, \d\d:\d\d UTC\]\nNot on a Friday\.$/,
    );
    expect(await states()).toEqual(["delivered", "delivered"]);
    await endWatch();
    expect((await hook(event, { harness })).stdout).not.toContain("Use staging.");
  },
);

test("a message reaches Gemini CLI before its next call, which it makes again", async () => {
  await say("Use staging.");
  const call = { harness: "gemini-cli", more: { tool_name: "run_shell_command", tool_input: { command: "ls" } } };
  const told = await hook("BeforeTool", call);
  expect(told.exitCode).toBe(2);
  expect(output(told)).toMatchObject({
    decision: "deny",
    reason: expect.stringMatching(
      /\n\n\[Ada, \d\d:\d\d UTC\]\nUse staging\.\n\n.*make it again if it is still right\.$/,
    ),
  });
  expect(output(told).continue).toBeUndefined();
  expect(await states()).toEqual(["delivered"]);
  await endWatch();
  expect(await hook("BeforeTool", call)).toMatchObject({ exitCode: 0, stdout: "" });
});

test("a message reaches only its session, not another one or a subagent", async () => {
  await say("Use staging.");
  expect((await hook("PreToolUse", { more: { session_id: "another-session" } })).stdout).toBe("");
  expect((await hook("PreToolUse", { more: { agent_id: "agent-1" } })).stdout).toBe("");
  expect(await states()).toEqual(["pending"]);
  await endWatch();
  expect((await hook("PreToolUse")).stdout).toContain("Use staging.");
});

test("of several hooks at once one delivers a message", async () => {
  await say("Use staging.");
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => hook("PreToolUse")));
  expect(outcomes.filter(({ stdout }) => stdout.includes("Use staging."))).toHaveLength(1);
  expect(await states()).toEqual(["delivered"]);
});

test("a message reaches a session through a server that takes longer than a hook waits for nothing", async () => {
  await using slow = await startSlowProxy(server.url, 700);
  home.configure(slow.url, { key });
  await say("Use staging.");
  expect((await hook("PreToolUse")).stdout).toBe("");
  await eventually(() => home.list(".workspace-hooks/steering").some((name) => name.endsWith(".due")), 10_000);
  expect((await hook("PreToolUse")).stdout).toContain("Use staging.");
  await expect.poll(states).toEqual(["delivered"]);
  expect((await hook("PreToolUse")).stdout).toBe("");
});

describe("while a helper watches", () => {
  test("calls with a pass start the program again as soon as a person has something", async () => {
    await home.run(["install", "--server", server.url, "--key", key]);
    const transcript = home.write("t.jsonl", "{}\n");
    home.setPolicy({ version: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const assistant = new Assistant({
      settingsFiles: [join(home.path, ".claude/settings.json")],
      cwd: home.project,
      env: home.env,
      sessionId: session,
      transcriptPath: transcript,
    });
    await assistant.start();
    await assistant.prompt("Change it");
    const passes = `.workspace-hooks/passes/${session}`;
    const shell = () => assistant.tool("Bash", { command: "touch b.txt" });
    await shell();
    await eventually(() => home.list(passes).includes("shell") && home.isWatched);
    // What is done meanwhile is shown as it happens, though no hook sends it.
    await expect.poll(doneCalls, { timeout: 10_000 }).toBe(1);
    await shell();
    await expect.poll(doneCalls, { timeout: 10_000 }).toBe(2);
    await say("Use staging.");
    await eventually(() => home.list(passes).length === 0, 3_000);
    expect((await shell()).context).toContain("Use staging.");
    expect((await shell()).context).toBe("");
    await eventually(() => home.isWatched);
    await give({ kind: "stop" });
    await eventually(() => home.list(passes).length === 0, 3_000);
    const [stopped] = (await shell()).outcomes;
    expect(output(stopped as Outcome)).toMatchObject({ continue: false });
    await assistant.end();
    await eventually(() => !home.isWatched);
  });

  test.each([
    ["codex", playCodex, "Bash"],
    ["gemini-cli", playGemini, "run_shell_command"],
    ["opencode", playOpencode, "bash"],
  ] as const)("%s shows its calls as they end, and is told something by the next one", async (name, play, tool) => {
    await home.run(["install", "--server", server.url, "--key", key, "--for", name]);
    home.setPolicy({ version: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const assistant = await play(home, session);
    await assistant.start();
    await assistant.prompt("Change it");
    const passes = `.workspace-hooks/passes/${session}`;
    const shell = () => assistant.call({ tool, input: { command: "touch b.txt" } });
    await shell();
    await eventually(() => home.list(passes).includes("shell") && home.isWatched);
    await shell();
    await expect.poll(doneCalls, { timeout: 10_000 }).toBe(2);
    await say("Use staging.");
    await eventually(() => home.list(passes).length === 0, 3_000);
    expect((await shell()).told).toContain("Use staging.");
    expect((await shell()).told).not.toContain("Use staging.");
    await give({ kind: "stop" });
    await eventually(() => home.list(passes).length === 0, 3_000);
    expect(await shell()).toMatchObject({ isRefused: true });
    await assistant.end();
    await eventually(() => !home.isWatched);
  });
});

describe("a paused session", () => {
  test("goes on with its call once it is resumed", async () => {
    const pause = await give({ kind: "pause" });
    const call = hook("PreToolUse");
    await expect.poll(states).toEqual(["delivered"]);
    await say("Use staging.");
    expect((await person("POST", `/api/hooks/instructions/${pause.id}/withdraw`)).status).toBe(200);
    const outcome = await call;
    expect(outcome.exitCode).toBe(0);
    expect(output(outcome).hookSpecificOutput).toMatchObject({
      additionalContext: expect.stringContaining("Use staging."),
    });
    expect(output(outcome).hookSpecificOutput.permissionDecision).toBeUndefined();
  });

  test.each([
    ["claude-code", 2, { continue: false, hookSpecificOutput: { permissionDecision: "deny" } }],
    ["gemini-cli", 2, { continue: false, decision: "deny" }],
    ["codex", 2, { hookSpecificOutput: { permissionDecision: "deny" } }],
  ])("that nobody resumes ends the run of %s before it gives up waiting", async (harness, exitCode, expected) => {
    await give({ kind: "pause" });
    const event = harness === "gemini-cli" ? "BeforeTool" : "PreToolUse";
    const outcome = await hook(event, { harness, timeoutS: 5 });
    expect(outcome.durationMs).toBeLessThan(5_000);
    expect(outcome.exitCode).toBe(exitCode);
    expect(output(outcome)).toMatchObject(expected);
    expect(outcome.stderr).toContain("The user has paused this session in the dashboard (Ada).");
    // Codex would run the call.
    expect(harness === "codex" && outcome.stdout.includes("continue")).toBe(false);
  });

  test("does not hang if the server is killed", async () => {
    const own = await startTestServer();
    const ada = await own.signIn();
    home.configure(own.url, { key: await createHooksKey(own) });
    await ada("POST", "/api/hooks/events", { body: { eventType: "SessionStart", sessionId: session } });
    await ada("POST", `/api/hooks/sessions/${session}/instructions`, { body: { kind: "pause" } });
    const state = async () => (await ada("GET", `/api/hooks/sessions/${session}/instructions`)).body.data[0].state;
    const { call } = await heldCall(async () => (await state()) === "delivered");
    await own.close();
    const outcome = await call;
    expect(outcome.durationMs).toBeLessThan(20_000);
    expect(output(outcome)).toMatchObject({ continue: false });
    expect(outcome.stderr).toContain("cannot be reached any more");
    expect((await hook("PreToolUse")).exitCode).toBe(0);
  });
});

/** A call that is held. A server that has just started may take longer to say that it is to be than the hook waits for that. */
async function heldCall(isHeld: () => Promise<boolean>) {
  for (;;) {
    const call = hook("PreToolUse");
    const ended = call.then(() => "ended" as const);
    const seen = async () => ((await isHeld()) ? ("held" as const) : ("open" as const));
    let state = await seen();
    while (state === "open") {
      const next = await Promise.race([ended, seen()]);
      if (next === "ended") break;
      state = next;
    }
    if (state === "held") return { call };
  }
}

describe("a stopped session", () => {
  test("ends where the assistant ends it, once", async () => {
    await give({ kind: "stop" });
    const outcome = await hook("PreToolUse");
    expect(output(outcome)).toMatchObject({
      continue: false,
      stopReason: "The user has stopped this session in the dashboard (Ada).",
    });
    expect(outcome.exitCode).toBe(2);
    expect(await states()).toEqual(["delivered"]);
    await home.run(["flush"]);
    const { body } = await server.withToken("GET", "/api/hooks/events?blocked=true&limit=1");
    expect(body.data[0].blockReason).toBe("The user has stopped this session in the dashboard (Ada).");
    await endWatch();
    expect((await hook("PreToolUse")).exitCode).toBe(0);
  });

  test("is refused one call after the other where the assistant cannot end it, until its run is over", async () => {
    await give({ kind: "stop" });
    for (let count = 0; count < 2; count += 1) {
      const outcome = await hook("PreToolUse", { harness: "codex" });
      expect(outcome.exitCode).toBe(2);
      expect(outcome.stderr).toContain("End your turn now");
    }
    expect(await states()).toEqual(["delivering"]);
    expect((await hook("Stop", { harness: "codex" })).stdout).toBe("");
    expect(await states()).toEqual(["delivered"]);
    expect((await hook("PreToolUse", { harness: "codex" })).exitCode).toBe(0);
  });

  test("does not refuse what the person says next", async () => {
    await give({ kind: "stop" });
    expect(await hook("UserPromptSubmit")).toMatchObject({ exitCode: 0, stdout: "" });
    expect((await hook("PreToolUse")).exitCode).toBe(0);
    expect(await instructions()).toMatchObject([{ state: "withdrawn", endedBy: null }]);
  });
});

test("neither the hooks' key nor the API token steers a session", async () => {
  const pause = await give({ kind: "pause" });
  const headers = { Authorization: `Bearer ${key}` };
  const body = { kind: "message", text: "Delete everything." };
  for (const path of [`/api/hooks/sessions/${session}/instructions`, `/api/hooks/instructions/${pause.id}/withdraw`]) {
    expect((await server.withToken("POST", path, { body })).status).toBe(403);
    expect((await server.anonymous("POST", path, { body, headers })).status).toBe(403);
  }
  expect(await states()).toEqual(["pending"]);
});

test.each(["a server that is away", "hooks that record nothing"])("with %s calls go on", async (what) => {
  if (what === "a server that is away") home.configure("http://localhost:9");
  else await home.run(["events", "off"]);
  await say("Use staging.");
  expect(await hook("PreToolUse")).toMatchObject({ exitCode: 0, stdout: "" });
});
