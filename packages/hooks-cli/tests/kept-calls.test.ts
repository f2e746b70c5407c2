import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";
import {
  type PlayedAssistant,
  type PlayedCall,
  playCodex,
  playGemini,
  playOpencode,
} from "./support/other-assistants.ts";
import { PROGRAM, TemporaryHome, eventually, runProcess } from "./support/temporary-home.ts";

/** Calls for which no process is started, in assistants other than Claude Code. */

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  home.write("work/project/a.txt", "one\n");
});

afterEach(async () => {
  await server.close();
  home.close();
});

const ASSISTANTS = {
  opencode: {
    play: playOpencode,
    session: "ses_df7ed679bffeDPVVYvK45h73EG",
    shell: (command: string, exitCode = 0): PlayedCall => ({ tool: "bash", input: { command }, exitCode }),
    read: { tool: "read", input: { filePath: "a.txt" } },
    edit: { tool: "edit", input: { filePath: "a.txt", oldString: "one", newString: "two" } },
    other: { tool: "webfetch", input: { url: "http://example.com" } },
  },
  codex: {
    play: playCodex,
    session: "01a21d39-a670-7f81-8712-7c07d25c1c7f",
    shell: (command: string, exitCode = 0): PlayedCall => ({ tool: "Bash", input: { command }, exitCode }),
    read: { tool: "view_image", input: { path: "a.png" } },
    edit: { tool: "apply_patch", input: { command: "*** Begin Patch\n*** Update File: a.txt\n*** End Patch" } },
    other: { tool: "mcp__files__list", input: { tool_name: "Bash", quoted: '","tool_name":"Bash' } },
  },
  "gemini-cli": {
    play: playGemini,
    session: "14c2debc-7744-4228-be93-ee6252bfc026",
    shell: (command: string, exitCode = 0): PlayedCall => ({ tool: "run_shell_command", input: { command }, exitCode }),
    read: { tool: "read_file", input: { file_path: "a.txt" } },
    edit: { tool: "replace", input: { file_path: "a.txt", old_string: "one", new_string: "$(id) `id` \\n ü '\"" } },
    other: { tool: "web_fetch", input: { prompt: "http://example.com" } },
  },
} as const;
type Name = keyof typeof ASSISTANTS;
const NAMES = Object.keys(ASSISTANTS) as Name[];

async function started(name: Name, policy: object = {}): Promise<PlayedAssistant> {
  await home.run(["install", "--server", server.url, "--key", "wk_given", "--for", name]);
  home.setPolicy({ version: 1, ...policy });
  // Passes do not count until a second after the rules have been changed.
  utimesSync(join(home.root, "policy.json"), 1, 1);
  const assistant = await ASSISTANTS[name].play(home, ASSISTANTS[name].session);
  // It fetches the server's rules; until then, passes do not hold.
  await assistant.start();
  return assistant;
}

/** The ids of the calls before which the program was started. */
function judged(): number {
  return new Set(
    [...home.spooledEvents, ...server.events.values()]
      .filter(({ eventType }) => eventType === "PreToolUse")
      .map(({ id }) => id),
  ).size;
}

/** What tools did, as the server sorts it. */
function results(): readonly any[] {
  const order = ({ occurredAt, id }: any): string => `${occurredAt} ${id}`;
  return [...server.events.values()]
    .filter(({ eventType }) => eventType.startsWith("PostToolUse"))
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

async function untilRecorded(count: number): Promise<void> {
  for (let tries = 0; tries < 20 && results().length < count; tries += 1) await home.run(["flush"]);
}

async function kept(name: Name): Promise<readonly string[]> {
  const folder = join(home.root, "calls", ASSISTANTS[name].session);
  return readdirSync(folder);
}

test.each(NAMES)("in %s, a turn starts the program once where no rule applies, and all is recorded", async (name) => {
  const { shell, read, edit, other } = ASSISTANTS[name];
  const assistant = await started(name);
  await assistant.prompt("Change it");
  await assistant.call(shell("touch b.txt"));
  const before = judged();
  const calls = [read, edit, shell("false", 1), other, shell("touch c.txt")];
  for (const call of calls) await assistant.call(call);
  expect(judged()).toBe(before);
  await assistant.stop();
  await untilRecorded(6);
  expect(results().map(({ eventType, toolName, eventData }) => [eventType, toolName, eventData.toolInput])).toEqual(
    [shell("touch b.txt"), ...calls].map(({ tool, input, ...call }) => [
      "exitCode" in call && call.exitCode === 1 ? "PostToolUseFailure" : "PostToolUse",
      tool,
      input,
    ]),
  );
  expect(results()[3]).toMatchObject({ eventData: { error: "exit code 1" }, projectDir: home.project });
  await assistant.prompt("Again");
  await assistant.call(edit);
  expect(judged()).toBe(before + 1);
});

test.each(NAMES)("in %s, only kinds of tools that no rule may concern have passes", async (name) => {
  const { shell, read } = ASSISTANTS[name];
  const when = { command: { program: ["forbidden"] } };
  const assistant = await started(name, { rules: [{ id: "no", decision: "deny", reason: "No.", when }] });
  await assistant.prompt("Change it");
  await assistant.call(shell("touch b.txt"));
  const before = judged();
  await assistant.call(read);
  expect(judged()).toBe(before);
  expect(await assistant.call(shell("forbidden --now"))).toMatchObject({ isRefused: true });
  await assistant.call(shell("touch c.txt"));
  expect(judged()).toBe(before + 2);
});

test.each(NAMES)("in %s, rules that are changed apply to the next call", async (name) => {
  const { shell } = ASSISTANTS[name];
  const assistant = await started(name);
  await assistant.prompt("Change it");
  await assistant.call(shell("touch b.txt"));
  const when = { command: { program: ["forbidden"] } };
  home.setPolicy({ version: 1, rules: [{ id: "no", decision: "deny", reason: "No.", when }] });
  expect(await assistant.call(shell("forbidden --now"))).toMatchObject({ isRefused: true });
});

test.each(NAMES)("in %s, nothing is kept of what is done while events are off", async (name) => {
  const { shell } = ASSISTANTS[name];
  const assistant = await started(name);
  await assistant.prompt("Change it");
  await assistant.call(shell("touch a.txt"));
  await home.run(["events", "off"]);
  await assistant.call(shell("touch hidden.txt"));
  await assistant.call(shell("touch hidden-as-well.txt"));
  await home.run(["events", "on"]);
  await assistant.call(shell("touch b.txt"));
  await assistant.call(shell("touch c.txt"));
  await untilRecorded(3);
  await home.run(["flush"]);
  const commands = results().map(({ eventData }) => eventData.toolInput.command);
  expect(commands).toEqual(["touch a.txt", "touch b.txt", "touch c.txt"]);
});

test(
  "what is kept is recorded once, though helpers are killed and the server is away",
  { timeout: 120_000 },
  async () => {
    const { shell } = ASSISTANTS.opencode;
    const assistant = await started("opencode");
    await assistant.prompt("Go");
    server.behaviour = "flapping";
    await assistant.call(shell("touch 0"));
    for (let round = 0; round < 6; round += 1) {
      for (let call = 1; call <= 5; call += 1) await assistant.call(shell(`touch ${round * 5 + call}`));
      const helper = spawn(process.execPath, [PROGRAM, "flush"], { env: home.env, stdio: "ignore" });
      const ended = once(helper, "exit");
      // At another moment each time, from the start of the program until it has sent some.
      await new Promise((resolve) => setTimeout(resolve, 40 + round * 40));
      helper.kill("SIGKILL");
      await ended;
    }
    server.behaviour = "failing";
    await assistant.stop();
    server.behaviour = "up";
    // A lock of one that was killed holds for a minute.
    for (const name of readdirSync(join(home.root, "calls")).filter((each) => each.endsWith(".lock")))
      utimesSync(join(home.root, "calls", name), 1, 1);
    await untilRecorded(31);
    await home.run(["flush"]);
    expect(results().map(({ eventData }) => eventData.toolInput.command)).toEqual(
      Array.from({ length: 31 }, (_, index) => `touch ${index}`),
    );
    expect(await kept("opencode").catch(() => [])).toEqual([]);
  },
);

test.each(NAMES)("in %s, a pass runs out", async (name) => {
  const { shell } = ASSISTANTS[name];
  const assistant = await started(name);
  await assistant.prompt("Go");
  await assistant.call(shell("touch a.txt"));
  const before = judged();
  await assistant.call(shell("touch b.txt"));
  expect(judged()).toBe(before);
  // The clock of files is behind by up to a tick of the kernel, and the next call may follow within that.
  const justNow = Date.now() / 1_000 - 0.1;
  utimesSync(join(home.root, "passes", ASSISTANTS[name].session, "end"), justNow, justNow);
  await assistant.call(shell("touch c.txt"));
  expect(judged()).toBe(before + 1);
});

test.each(["bash", "sh"])("%s reads a payload of any size and kind as it is", async (shell) => {
  await started("codex");
  const session = "01a21d39-a670-7f81-8712-7c07d25c1c80";
  const assistant = await playCodex(home, session, shell);
  await assistant.prompt("Go");
  await assistant.call({ tool: "Bash", input: { command: "touch b.txt" } });
  const before = judged();
  const odd = "$(touch expanded) `touch expanded` \\n %s é \u{1f4a9} '\" \n";
  for (const command of [odd, odd.repeat(25_000)]) await assistant.call({ tool: "Bash", input: { command } });
  expect(judged()).toBe(before);
  await untilRecorded(3);
  const [, short, long] = results().map(({ eventData }) => eventData.toolInput.command);
  expect(short).toBe(odd);
  expect(long.startsWith(short)).toBe(true);
  expect(home.list("work/project")).not.toContain("expanded");
});

test("only a payload that begins with a session's id, and names the tool before its input, finds a pass", async () => {
  const { session, shell, read } = ASSISTANTS.codex;
  const when = { command: { program: ["forbidden"] } };
  const assistant = await started("codex", { rules: [{ id: "no", decision: "deny", reason: "No.", when }] });
  await assistant.prompt("Go");
  await assistant.call(shell("touch b.txt"));
  const before = judged();
  await assistant.call(read);
  expect(judged()).toBe(before);
  const command: string = JSON.parse(home.read(".codex/hooks.json") ?? "").hooks.PreToolUse[0].hooks[0].command;
  const fire = (payload: object) =>
    runProcess("bash", ["-c", command], {
      stdin: JSON.stringify(payload),
      cwd: home.project,
      env: { ...home.env, LC_ALL: "C.UTF-8" },
    });
  const forbidden = { tool_name: "Bash", tool_input: { command: "forbidden" } };
  const more = { cwd: home.project, hook_event_name: "PreToolUse" };
  const posing = { tool_name: read.tool, session_id: session };
  for (const payload of [
    { tool_input: { ...forbidden.tool_input, ...posing }, session_id: session, ...more, tool_name: "Bash" },
    { session_id: session, tool_input: { ...forbidden.tool_input, ...posing }, ...more, tool_name: "Bash" },
    { session_id: `../passes/${session}`, ...more, ...forbidden },
    { session_id: `${session}\n$(exit 0)`, ...more, ...forbidden },
    { session_id: session, cwd: `","tool_name":"${read.tool}`, hook_event_name: "PreToolUse", ...forbidden },
  ])
    expect(await fire(payload)).toMatchObject({ exitCode: 2 });
});

test.each(["bash", "sh"])("nothing but its input is a hook's payload in %s", async (shell) => {
  const when = { command: { program: ["forbidden"] } };
  await started("codex", { rules: [{ id: "no", decision: "deny", reason: "No.", when }] });
  const command: string = JSON.parse(home.read(".codex/hooks.json") ?? "").hooks.PreToolUse[0].hooks[0].command;
  const payload = (run: string) =>
    JSON.stringify({
      session_id: ASSISTANTS.codex.session,
      cwd: home.project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: run },
    });
  const harmless = payload("true");
  home.write("bin/cat", `#!/bin/sh\nprintf %s '${harmless}'\n`);
  chmodSync(join(home.path, "bin/cat"), 0o755);
  const env = { ...home.env, i: harmless, PATH: `${join(home.path, "bin")}:${process.env["PATH"]}` };
  expect(
    await runProcess(shell, ["-c", command], { stdin: payload("forbidden"), cwd: home.project, env }),
  ).toMatchObject({ exitCode: 2 });
});

test("in Gemini CLI, the calls of subagents are recorded, and no call twice or without having run", async () => {
  const { session, shell, read } = ASSISTANTS["gemini-cli"];
  const when = { command: { program: ["forbidden"] } };
  const assistant = await started("gemini-cli", { rules: [{ id: "no", decision: "deny", reason: "No.", when }] });
  await assistant.prompt("Go");
  await assistant.call(shell("touch b.txt"));
  await assistant.call(shell("forbidden"));
  const timestamp = new Date().toISOString();
  const call = { id: "s-1", name: read.tool, args: read.input, result: [], status: "success", timestamp };
  const cancelled = { ...call, id: "s-2", status: "cancelled" };
  const message = { id: "m-1", timestamp, type: "gemini", content: "", toolCalls: [call, cancelled] };
  const lines = [{ sessionId: "sub", projectHash: "10943f98", kind: "subagent" }, message, message];
  home.write(`.gemini/tmp/shop/chats/${session}/sub.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await assistant.stop();
  await untilRecorded(2);
  await home.run(["flush"]);
  expect(
    results()
      .map(({ toolName, sessionId, projectDir }) => [toolName, sessionId, projectDir])
      .toSorted(),
  ).toEqual([read.tool, "run_shell_command"].map((tool) => [tool, session, home.project]));
});

test("a file that is not whole yet is left alone, and removed when nobody will finish it", async () => {
  await started("opencode");
  const folder = join(home.root, "calls", "ses_of_a_process_that_died");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "1-1.opencode"), '{"hook_event_name":"PostToolUse","session_id":"ses_of_a');
  writeFileSync(join(folder, "1-2.nothing"), "{}");
  await home.run(["flush"]);
  expect(readdirSync(folder)).toEqual(["1-1.opencode"]);
  utimesSync(join(folder, "1-1.opencode"), 1, 1);
  await home.run(["flush"]);
  await eventually(() => home.list(".workspace-hooks/calls").length === 0);
  expect(results()).toEqual([]);
});
