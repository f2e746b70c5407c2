import { expect, test } from "vitest";
import type { HookEvent } from "./hook-event.ts";
import { callsIn, sessionsIn } from "./session-calls.ts";

function event(id: string, change: Partial<HookEvent>): HookEvent {
  return {
    id,
    eventType: "PreToolUse",
    sessionId: "s",
    projectDir: "/home/ada/code/shop",
    toolName: "Bash",
    toolMatcher: null,
    eventData: null,
    exitCode: 0,
    blocked: false,
    blockReason: null,
    durationMs: null,
    hookScript: null,
    createdAt: "2026-11-23T09:00:00.000Z",
    ...change,
  };
}

test("a call that was recorded before and after it ran counts once", () => {
  const toolInput = { command: "ls" };
  const events = [
    event("1", { eventType: "PostToolUse", eventData: { toolInput, toolUseId: "a" } }),
    event("2", { eventData: { toolInput, toolUseId: "a" } }),
    event("3", { eventType: "PostToolUse", eventData: { toolInput } }),
    event("4", { eventData: { toolInput, wasCut: true } }),
    event("5", { eventData: {} }),
  ];
  expect(callsIn(events).map(({ id, wasCut }) => [id, wasCut])).toEqual([
    ["a", false],
    ["4", true],
  ]);
  // An assistant may only record what has run.
  expect(callsIn([event("3", { eventType: "PostToolUse", eventData: { toolInput } })])).toMatchObject([
    { id: "3", tool: "Bash", summary: "ls", projectDir: "/home/ada/code/shop" },
  ]);
});

test("a session is called by its project and its first prompt", () => {
  const prompt = (id: string, text: string) =>
    event(id, { eventType: "UserPromptSubmit", toolName: null, eventData: { prompt: text } });
  const sessions = sessionsIn([
    prompt("1", "Then\n  deploy"),
    prompt("2", "Fix the build"),
    event("3", { eventType: "SessionStart", sessionId: "t", projectDir: null }),
  ]);
  expect(sessions.map(({ sessionId, label }) => [sessionId, label])).toEqual([
    ["s", "shop: Fix the build"],
    ["t", "t"],
  ]);
});
