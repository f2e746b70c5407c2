import type { HookEvent } from "../features/hooks/hook-event.ts";

export function sampleHookEvent(part: Partial<HookEvent> = {}): HookEvent {
  return {
    id: "event-1",
    eventType: "PreToolUse",
    blocked: false,
    blockReason: null,
    createdAt: "2026-11-20T10:00:00.000Z",
    sessionId: "session-1",
    projectDir: null,
    toolName: "Bash",
    toolMatcher: null,
    eventData: null,
    exitCode: 0,
    durationMs: 12,
    hookScript: null,
    ...part,
  };
}
