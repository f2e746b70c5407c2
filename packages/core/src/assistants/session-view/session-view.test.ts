import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { createAssistantUsageService } from "../assistant-usage/assistant-usage.service.ts";
import { createOwnLimitsService } from "../assistant-usage/own-limits.service.ts";
import { createHookEventService } from "../hooks/hook-event.service.ts";
import type { RecordHookEvent } from "../hooks/hook-event.schema.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import { createTranscriptSource } from "../transcripts/transcript-source.ts";
import type { Turn } from "../transcripts/transcript-turns.ts";
import { createSessionViewService } from "./session-view.service.ts";
import type { SessionPrompt } from "./session-view.schema.ts";

let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
});
afterAll(() => database.close());

const at = (minute: number, second = 0) =>
  `2026-06-01T10:${String(minute).padStart(2, "0")}:${String(second).padStart(2, "0")}.000Z`;
const transcripts = () => createSessionTranscriptService({ ...deps, keepsTranscripts: true });
const view = () => createSessionViewService({ ...deps, sessionTranscripts: transcripts() });
const record = (sessionId: string, events: readonly RecordHookEvent[]) =>
  createHookEventService(deps).recordBatch(events.map((event) => ({ sessionId, projectDir: "/repo", ...event })));
const add = (sessionId: string, turns: readonly Turn[]) =>
  transcripts().add({ sessionId, projectPath: "/repo" }, turns);

const prompt = (minute: number, text: string, data: object = {}): RecordHookEvent => ({
  eventType: "UserPromptSubmit",
  occurredAt: at(minute),
  eventData: { prompt: text, ...data },
});
const call = (
  eventType: RecordHookEvent["eventType"],
  [minute, second]: readonly [number, number],
  toolUseId: string | null,
  { eventData, ...more }: Partial<RecordHookEvent> = {},
): RecordHookEvent => ({
  eventType,
  toolName: "Bash",
  occurredAt: at(minute, second),
  ...more,
  eventData: { toolInput: { command: "ls" }, ...(toolUseId !== null && { toolUseId }), ...eventData },
});

const NOTHING = { turns: null, since: null, until: at(0) };

async function stepsOf(
  sessionId: string,
  { turns, since, until }: Pick<SessionPrompt, "turns" | "since" | "until"> = NOTHING,
  page: { from?: number; limit?: number } = {},
) {
  const range = {
    ...(turns !== null && { firstTurn: turns.first, lastTurn: turns.last }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  };
  return view().steps({ sessionId, ...range, from: 1, limit: 200, ...page });
}

test("a session that runs has its prompts and calls from its events: results, durations, what was blocked and asked about", async () => {
  const s = "running";
  await record(s, [
    { eventType: "SessionStart", occurredAt: at(0) },
    prompt(1, "Fix the build", { turn: { number: 1 } }),
    call("PreToolUse", [1, 10], "a"),
    call("PostToolUse", [1, 12], "a", {
      eventData: { writtenLines: { root: "/repo", files: [{ path: "a.ts", lines: "" }] } },
    }),
    call("PreToolUse", [1, 20], "b", { eventData: { policy: { decision: "ask" } } }),
    call("PostToolUseFailure", [1, 30], "b", { eventData: { error: "Exit code 1", toolDurationMs: 800 } }),
    call("PreToolUse", [1, 40], "c", { blocked: true, blockReason: "No force pushes" }),
    prompt(2, "<task-notification>done</task-notification>"),
    prompt(3, "Go on", {
      turn: { number: 2, changed: { turn: 1, root: "/repo", total: 1, files: [{ path: "a.ts", change: "added" }] } },
    }),
    call("PreToolUse", [3, 5], "d"),
  ]);
  const outline = await view().outline({ sessionId: s });
  expect(outline).toMatchObject({ sessionId: s, turnCount: 0, isComplete: true });
  const [first, second] = outline.prompts;
  expect(outline.prompts).toHaveLength(2);
  expect(first).toMatchObject({
    text: "Fix the build",
    turns: null,
    since: at(1),
    until: at(3),
    lastAt: at(1, 40),
    calls: 3,
    failed: 1,
    blocked: 1,
    asked: 1,
    changes: { turn: 1, root: "/repo", files: [{ path: "a.ts", change: "added" }], total: 1, isCompared: true },
  });
  expect(second).toMatchObject({ text: "Go on", calls: 1, until: null, changes: null, answer: null });
  const { total, steps } = await stepsOf(s, first);
  expect(total).toBe(4);
  expect(steps).toMatchObject([
    { kind: "prompt", text: "Fix the build" },
    { kind: "call", toolName: "Bash", input: '{"command":"ls"}', state: "done", durationMs: 2_000, isAsked: false },
    { state: "failed", output: "Exit code 1", durationMs: 800, isAsked: true },
    { state: "blocked", reason: "No force pushes", durationMs: null },
  ]);
  expect((await stepsOf(s, second)).steps[1]).toMatchObject({ state: "open", output: null });
});

test("a session that has ended has what its transcript says, and what only events know", async () => {
  const s = "ended";
  const turns: Turn[] = [
    { kind: "user", text: "Fix the  build", occurredAt: at(1) },
    { kind: "assistant", text: "Let me look.", occurredAt: at(1, 5) },
    { kind: "tool_call", toolName: "Bash", text: '{"command":"ls"}', occurredAt: at(1, 10), callId: "a" },
    { kind: "tool_call", toolName: "Bash", text: '{"command":"rm"}', occurredAt: at(1, 11), callId: "b" },
    { kind: "tool_result", text: "Blocked", hasFailed: true, occurredAt: at(1, 12), callId: "b" },
    { kind: "tool_result", text: "a.ts", occurredAt: at(1, 14), callId: "a" },
    { kind: "assistant", text: "It is fixed.", occurredAt: at(1, 50) },
    { kind: "user", text: "Thanks", occurredAt: at(5) },
    { kind: "tool_call", toolName: "Edit", text: '{"file_path":"/repo/b.ts","new_string":"b"}' },
    { kind: "tool_result", text: "Done", hasFailed: true },
  ];
  await add(s, turns);
  await record(s, [
    prompt(1, "Fix the build"),
    call("PreToolUse", [1, 10], "a"),
    call("PostToolUse", [1, 13], "a"),
    call("PreToolUse", [1, 11], "b", { blocked: true, blockReason: "Never" }),
    call("PreToolUse", [1, 20], "sub", { eventData: { agentId: "agent", toolInput: { command: "find" } } }),
  ]);
  const { prompts, turnCount } = await view().outline({ sessionId: s });
  expect(turnCount).toBe(10);
  expect(prompts).toMatchObject([
    { turns: { first: 1, last: 7 }, answer: "It is fixed.", calls: 3, failed: 0, blocked: 1, lastAt: at(1, 50) },
    { turns: { first: 8, last: 10 }, calls: 1, failed: 1, changes: { turn: null, files: [{ path: "/repo/b.ts" }] } },
  ]);
  expect((await stepsOf(s, prompts[0])).steps).toMatchObject([
    { kind: "prompt", id: "turn-1", position: 1 },
    { kind: "answer", text: "Let me look." },
    { kind: "call", position: 3, output: "a.ts", state: "done", durationMs: 3_000 },
    { kind: "call", position: 4, output: "Blocked", state: "blocked", reason: "Never" },
    { kind: "call", position: null, isOfSubagent: true, input: '{"command":"find"}' },
    { kind: "answer", text: "It is fixed." },
  ]);
  const page = await stepsOf(s, prompts[0], { from: 3, limit: 1 });
  expect(page).toMatchObject({ total: 6, steps: [{ id: "turn-3" }] });
});

test("a session that goes on after its transcript was sent has the rest from events, and is read on from any prompt", async () => {
  const s = "resumed";
  await add(s, [
    { kind: "user", text: "One", occurredAt: at(1) },
    { kind: "assistant", text: "First.", occurredAt: at(1, 30) },
    { kind: "user", text: "Two", occurredAt: at(2) },
    { kind: "assistant", text: "Second.", occurredAt: at(2, 30) },
  ]);
  await record(s, [
    prompt(1, "One"),
    prompt(2, "Two"),
    call("PreToolUse", [3, 0], "late"),
    { ...prompt(4, "Blocked one"), blocked: true, blockReason: "No" },
    prompt(5, "Three"),
    call("PreToolUse", [5, 1], null),
    call("PostToolUse", [5, 4], null),
  ]);
  const { prompts } = await view().outline({ sessionId: s });
  expect(prompts.map(({ text, calls, isBlocked }) => [text, calls, isBlocked])).toEqual([
    ["One", 0, false],
    ["Two", 1, false],
    ["Blocked one", 0, true],
    ["Three", 1, false],
  ]);
  expect((await stepsOf(s, prompts[3])).steps[1]).toMatchObject({ state: "done", durationMs: 3_000 });
  const { prompts: rest } = await view().outline({ sessionId: s, since: at(2), fromTurn: 3 });
  expect(rest).toEqual(prompts.slice(1));
  const { prompts: last } = await view().outline({ sessionId: s, since: at(5) });
  expect(last).toEqual(prompts.slice(3));
});

test("what came before the first prompt is shown if anything did, and prompts have their cost", async () => {
  const s = "costly";
  const usage = createAssistantUsageService({
    ...deps,
    transcripts: createTranscriptSource({ roots: [], maxBytes: 0 }),
    readPricing: async () => () => null,
    ownLimits: createOwnLimitsService(deps),
  });
  await record(s, [call("PreToolUse", [0, 1], "x"), prompt(1, "One"), prompt(2, "Two"), prompt(3, "Three")]);
  const tokens = { inputTokens: 10, outputTokens: 5 };
  await usage.import({
    sessionId: s,
    messages: [
      { messageId: "m1", ...tokens, costUsd: 0.5, occurredAt: at(1, 10) },
      { messageId: "m2", ...tokens, costUsd: 0.25, occurredAt: at(1, 20) },
      { messageId: "m3", ...tokens, occurredAt: at(3, 10) },
    ],
  });
  const { prompts } = await view().outline({ sessionId: s });
  expect(prompts.map((one) => [one.text, one.calls, one.usage])).toEqual([
    [null, 1, null],
    ["One", 0, { totalTokens: 30, outputTokens: 10, costUsd: 0.75 }],
    ["Two", 0, null],
    ["Three", 0, { totalTokens: 15, outputTokens: 5, costUsd: null }],
  ]);
});

test("sessions are listed by their last event, named by their first prompt, in pages", async () => {
  const listed = async (limit: number, cursor?: string) => {
    const page = await view().list({ limit, cursor });
    return { ids: page.items.map(({ sessionId }) => sessionId), ...page };
  };
  const later = (minute: number) => `2026-06-01T11:${minute}:00.000Z`;
  const start: RecordHookEvent = { eventType: "SessionStart", eventData: { harness: "codex" } };
  await record("x", [
    { ...start, occurredAt: later(10) },
    { ...prompt(0, "Refused"), occurredAt: later(11), blocked: true },
    { ...prompt(0, "Fix it"), occurredAt: later(12) },
    { ...call("PreToolUse", [0, 0], "a"), occurredAt: later(13) },
    { ...call("PostToolUseFailure", [0, 0], "a"), occurredAt: later(40) },
  ]);
  await record("y", [
    { ...start, occurredAt: later(20) },
    { eventType: "SessionEnd", occurredAt: later(30) },
  ]);
  await record("z", [{ ...start, occurredAt: later(25) }]);
  const first = await listed(2);
  expect(first.items).toEqual([
    {
      sessionId: "x",
      prompt: "Fix it",
      projectDir: "/repo",
      assistant: "codex",
      startedAt: later(10),
      lastEventAt: later(40),
      hasEnded: false,
      prompts: 2,
      calls: 1,
      failed: 1,
      blocked: 1,
      totalTokens: null,
      costUsd: null,
    },
    expect.objectContaining({ sessionId: "y", prompt: null, hasEnded: true }),
  ]);
  const second = await listed(1, first.nextCursor);
  expect(second.ids).toEqual(["z"]);
  const rest = await listed(100, second.nextCursor);
  expect(rest.ids).toEqual(["resumed", "running", "costly", "ended"]);
  expect(rest.nextCursor).toBeUndefined();
});

test("a prompt keeps its id when its transcript arrives, and a call that was blocked has no duration", async () => {
  const s = "arriving";
  await record(s, [
    prompt(1, "Push it"),
    call("PreToolUse", [1, 10], "a", { blocked: true, blockReason: "Never" }),
    call("PostToolUse", [1, 11], "a"),
  ]);
  const [before] = (await view().outline({ sessionId: s })).prompts;
  expect((await stepsOf(s, before)).steps[1]).toMatchObject({ state: "blocked", durationMs: null });
  await add(s, [
    { kind: "user", text: "Push it", occurredAt: at(1) },
    { kind: "tool_call", toolName: "Bash", text: '{"command":"ls"}', occurredAt: at(1, 10), callId: "a" },
    { kind: "tool_result", text: "Blocked", hasFailed: true, occurredAt: at(1, 10), callId: "a" },
  ]);
  const [after] = (await view().outline({ sessionId: s })).prompts;
  expect(after).toMatchObject({ id: before?.id, turns: { first: 1, last: 3 } });
  expect((await stepsOf(s, after)).steps[1]).toMatchObject({ state: "blocked", position: 2, durationMs: null });
});

test("a session of which nothing is known is not found", async () => {
  await expect(view().outline({ sessionId: "none" })).rejects.toThrow(NotFoundError);
  await add("empty", [{ kind: "assistant", text: "Hello" }]);
  expect((await view().outline({ sessionId: "empty" })).prompts).toMatchObject([{ text: null, answer: "Hello" }]);
});

test("the result of something in the background belongs to the call that started it", async () => {
  const s = "background";
  await add(s, [
    { kind: "user", text: "Count them", occurredAt: at(1) },
    { kind: "tool_call", toolName: "memory_search", text: '{"query":"birds"}', occurredAt: at(1, 10), callId: "a" },
    { kind: "tool_call", toolName: "Agent", text: '{"prompt":"Count"}', occurredAt: at(1, 11), callId: "b" },
    { kind: "tool_result", text: "Launched", occurredAt: at(1, 12), callId: "b" },
    { kind: "assistant", text: "They are being counted.", occurredAt: at(1, 13) },
    { kind: "tool_result", text: "There is one.", occurredAt: at(1, 20), callId: "b" },
    { kind: "tool_result", text: "Of something older.", occurredAt: at(1, 21), callId: "c" },
  ]);
  const { prompts } = await view().outline({ sessionId: s });
  expect((await stepsOf(s, prompts[0])).steps).toMatchObject([
    { kind: "prompt" },
    { toolName: "memory_search", output: null },
    { toolName: "Agent", output: "There is one.", durationMs: 9_000 },
    { kind: "answer" },
    { toolName: null, output: "Of something older." },
  ]);
});

test.each(["a", null])("a call that failed is one that failed, also if only its event says so (id: %s)", async (id) => {
  const s = `failure ${id}`;
  await record(s, [
    prompt(1, "Run it"),
    call("PreToolUse", [1, 10], id),
    call("PostToolUseFailure", [1, 11], id, { eventData: { error: "Exit code 2" } }),
  ]);
  const callId = id === null ? {} : { callId: id };
  await add(s, [
    { kind: "user", text: "Run it", occurredAt: at(1) },
    { kind: "tool_call", toolName: "Bash", text: '{"command":"ls"}', occurredAt: at(1, 10), ...callId },
    { kind: "tool_result", text: "No such folder", occurredAt: at(1, 11), ...callId },
    { kind: "assistant", text: "It failed.", occurredAt: at(1, 12) },
  ]);
  const { prompts } = await view().outline({ sessionId: s });
  expect(prompts).toMatchObject([{ text: "Run it", calls: 1, failed: 1, blocked: 0 }]);
  expect((await stepsOf(s, prompts[0])).steps).toMatchObject([
    { kind: "prompt" },
    { kind: "call", state: "failed", output: "No such folder" },
    { kind: "answer" },
  ]);
});

test("without ids, what was blocked is the call that was given the same, whenever it was written down", async () => {
  const s = "without ids";
  const given = (command: string, more: Partial<RecordHookEvent> = {}) => ({
    ...more,
    eventData: { toolInput: { description: "A step", command } },
  });
  await record(s, [
    prompt(1, "Run both"),
    call("PreToolUse", [1, 10], null, given("forbidden", { blocked: true, blockReason: "No." })),
    call("PreToolUse", [1, 11], null, given("allowed")),
  ]);
  await add(s, [
    { kind: "user", text: "Run both", occurredAt: at(1) },
    {
      kind: "tool_call",
      toolName: "Bash",
      text: '{"command":"forbidden","description":"A step"}',
      occurredAt: at(1, 6),
    },
    { kind: "tool_result", text: "blocked", occurredAt: at(1, 6) },
    { kind: "tool_call", toolName: "Bash", text: '{"command":"allowed","description":"A step"}', occurredAt: at(1, 9) },
    { kind: "tool_result", text: "ok", occurredAt: at(1, 9) },
  ]);
  const { prompts } = await view().outline({ sessionId: s });
  expect((await stepsOf(s, prompts[0])).steps).toMatchObject([
    { kind: "prompt" },
    { state: "blocked", output: "blocked", reason: "No." },
    { state: "done", output: "ok", reason: null },
  ]);
});
