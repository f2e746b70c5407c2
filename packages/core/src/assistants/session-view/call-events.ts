import type { ViewedEvent } from "./session-view.queries.ts";

/** A call of a tool, from its events. */
export interface CallEvents {
  readonly id: string;
  readonly callId: string | null;
  readonly toolName: string;
  readonly input: unknown;
  readonly isOfSubagent: boolean;
  readonly startedAt: string;
  readonly lastAt: string;
  readonly isBlocked: boolean;
  readonly reason: string | null;
  readonly isAsked: boolean;
  readonly isDone: boolean;
  readonly hasFailed: boolean;
  readonly error: string | null;
  /** Undefined if it is not known. */
  readonly durationMs: number | undefined;
}

/**
 * The calls that events tell of, in order. A call has an event before it, one after it, or both; both have its id, if the assistant
 * has ids. Without ids, the first call of the tool that has not ended is the one that ends.
 */
export function callEvents(events: readonly ViewedEvent[]): CallEvents[] {
  const calls = new Map<string, CallEvents>();
  /** By tool, the keys of the calls that have not ended. */
  const open = new Map<string, Set<string>>();
  for (const event of events) {
    const { eventType, toolName } = event;
    if (toolName === null || !["PreToolUse", "PostToolUse", "PostToolUseFailure"].includes(eventType)) continue;
    const own = open.get(toolName) ?? new Set();
    open.set(toolName, own);
    if (eventType === "PreToolUse") {
      const key = event.callId ?? event.id;
      const known = calls.get(key);
      calls.set(key, started(event, toolName, known));
      if (!event.blocked && known === undefined) own.add(key);
    } else {
      const [first] = own;
      const key = event.callId ?? first ?? event.id;
      calls.set(key, ended(event, toolName, calls.get(key)));
      own.delete(key);
    }
  }
  return [...calls.values()];
}

function started(event: ViewedEvent, toolName: string, known: CallEvents | undefined): CallEvents {
  const { id, callId, input, agentId, createdAt, blocked, blockReason, decision } = event;
  return {
    ...(known ?? { isDone: false, hasFailed: false, error: null, durationMs: undefined, lastAt: createdAt }),
    id: known?.id ?? id,
    callId,
    toolName,
    input,
    isOfSubagent: agentId !== null,
    startedAt: createdAt,
    isBlocked: blocked,
    reason: blockReason,
    isAsked: decision === "ask",
  };
}

function ended(event: ViewedEvent, toolName: string, known: CallEvents | undefined): CallEvents {
  const { id, callId, input, agentId, createdAt, eventType, error, toolDurationMs, blocked, blockReason } = event;
  const measured = typeof toolDurationMs === "number" ? toolDurationMs : undefined;
  const fresh = {
    id,
    callId,
    toolName,
    input,
    isOfSubagent: agentId !== null,
    startedAt: new Date(Date.parse(createdAt) - (measured ?? 0)).toISOString(),
    isBlocked: blocked,
    reason: blockReason,
    isAsked: false,
  };
  const elapsed = known === undefined ? undefined : Date.parse(createdAt) - Date.parse(known.startedAt);
  return {
    ...(known ?? fresh),
    input: known?.input ?? input,
    lastAt: createdAt,
    isDone: true,
    hasFailed: eventType === "PostToolUseFailure",
    error,
    durationMs: measured ?? elapsed,
  };
}
