import { afterEach, beforeEach, expect, test } from "vitest";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";
import { TemporaryHome, eventually } from "./support/temporary-home.ts";

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

const toLines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const sentLines = () =>
  server.usage.flatMap(({ transcript }) => transcript.split("\n").map((line) => JSON.parse(line)));

/** As Claude Code 2.1.330 records a response. */
const claudeAnswer = (id: string) => ({
  parentUuid: "a615ba27",
  isSidechain: false,
  type: "assistant",
  requestId: `req_${id}`,
  timestamp: "2026-11-23T11:01:53.159Z",
  message: {
    id,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text: "The secret plan." }],
    usage: { input_tokens: 200, cache_creation_input_tokens: 0, cache_read_input_tokens: 1000, output_tokens: 30 },
  },
});

test("what a session has used is sent at the end of each turn, once, and nothing of what was said", async () => {
  const said = { type: "user", message: { role: "user", content: 'About "usage".' } };
  const lines = toLines(said, claudeAnswer("m1"));
  const session = { transcript_path: home.write("t.jsonl", lines) };
  home.write("t/subagents/agent-1.jsonl", toLines(claudeAnswer("m2")));
  await home.hook("Stop", session);
  await eventually(() => server.usage.length === 2);
  await home.run(["flush"]);
  await home.hook("Stop", session);
  home.write("t.jsonl", lines + toLines(claudeAnswer("m3")));
  await home.hook("SessionEnd", { ...session, reason: "other" });
  await eventually(() => server.usage.length === 3);
  await home.run(["flush"]);
  expect(sentLines().map(({ message }) => message.id)).toEqual(["m1", "m2", "m3"]);
  const { usage, id, model } = claudeAnswer("m1").message;
  const { type, requestId, timestamp } = claudeAnswer("m1");
  expect(sentLines()[0]).toEqual({ type, requestId, timestamp, message: { id, model, usage } });
  expect(server.usage[0]).toMatchObject({ sessionId: "session-1", projectPath: home.project });
});

test("Codex's usage names the model, which an earlier line does", async () => {
  const turn = { type: "turn_context", payload: { cwd: home.project, model: "gpt-5.1-codex" } };
  const counted = (total_tokens: number) => ({
    timestamp: "2026-11-23T11:02:35.261Z",
    type: "event_msg",
    payload: {
      type: "token_count",
      info: {
        total_token_usage: { total_tokens },
        last_token_usage: { input_tokens: 1200, cached_input_tokens: 1000, output_tokens: 30 },
      },
    },
  });
  const count = (total: number) => {
    const { payload, ...line } = counted(total);
    return { ...line, ordinal: 13, payload: { ...payload, rate_limits: null } };
  };
  const stdin = JSON.stringify({
    session_id: "s",
    cwd: home.project,
    transcript_path: home.write("t.jsonl", toLines(turn, count(1230))),
    hook_event_name: "Stop",
  });
  await home.run(["run", "Stop", "--for", "codex"], { stdin });
  await eventually(() => server.usage.length === 1);
  await home.run(["flush"]);
  home.write("t.jsonl", toLines(turn, count(1230), count(2460)));
  await home.run(["run", "Stop", "--for", "codex"], { stdin });
  await eventually(() => server.usage.length === 2);
  const model = { type: "turn_context", payload: { model: "gpt-5.1-codex" } };
  expect(sentLines()).toEqual([model, counted(1230), model, counted(2460)]);
});

test("what a subagent of Codex has used is its session's, though its transcript is elsewhere and its totals are its own", async () => {
  const count = {
    timestamp: "2026-11-23T11:02:35.261Z",
    type: "event_msg",
    payload: {
      type: "token_count",
      info: {
        total_token_usage: { total_tokens: 1230 },
        last_token_usage: { input_tokens: 1200, cached_input_tokens: 1000, output_tokens: 30 },
      },
    },
  };
  const session = { session_id: "s", cwd: home.project, transcript_path: home.write("main.jsonl", "{}\n") };
  const meta = { id: "agent", session_id: "s", cwd: home.project };
  const lines = toLines({ type: "session_meta", payload: meta }, count);
  const agent_transcript_path = home.write("agent.jsonl", lines);
  const stop = { ...session, agent_id: "agent", agent_transcript_path, hook_event_name: "SubagentStop" };
  await home.run(["run", "SubagentStop", "--for", "codex"], { stdin: JSON.stringify(stop) });
  await eventually(() => server.usage.length === 1);
  expect(server.usage[0]).toMatchObject({ sessionId: "s", projectPath: home.project });
  expect(sentLines()).toEqual([{ type: "session_meta", payload: { id: "agent", session_id: "s" } }, count]);
  home.write("agent.jsonl", `${lines}${toLines(count)}`);
  const end = { ...session, hook_event_name: "Stop" };
  await home.run(["run", "Stop", "--for", "codex"], { stdin: JSON.stringify(end) });
  await eventually(() => server.usage.length === 2);
  // Nobody wrote its prompt.
  const prompt = { ...session, agent_id: "agent", prompt: "Count them", hook_event_name: "UserPromptSubmit" };
  await home.run(["run", "UserPromptSubmit", "--for", "codex"], { stdin: JSON.stringify(prompt) });
  await home.run(["flush"]);
  expect(JSON.stringify([...server.events.values()])).not.toContain("Count them");
});

test("no usage is sent where events are off", async () => {
  await home.run(["events", "off", "--here"]);
  await home.hook("Stop", { transcript_path: home.write("t.jsonl", toLines(claudeAnswer("m1"))) });
  await home.run(["flush"]);
  expect(server.usage).toEqual([]);
});

test("what Codex reports about its limits is sent, and nothing else about the account", async () => {
  const primary = { used_percent: 73.5, window_minutes: 300, resets_at: 1_795_433_000 };
  const line = {
    timestamp: "2026-11-23T11:02:35.261Z",
    type: "event_msg",
    payload: { type: "token_count", info: null, rate_limits: { limit_id: "codex", primary, secondary: null } },
  };
  const { rate_limits, ...payload } = line.payload;
  const account = { ...rate_limits, plan_type: "plus", credits: { balance: "5" } };
  const stdin = JSON.stringify({
    session_id: "s",
    cwd: home.project,
    transcript_path: home.write("t.jsonl", toLines({ ...line, payload: { ...payload, rate_limits: account } })),
    hook_event_name: "Stop",
  });
  await home.run(["run", "Stop", "--for", "codex"], { stdin });
  await eventually(() => server.usage.length === 1);
  expect(sentLines()).toEqual([line]);
});
