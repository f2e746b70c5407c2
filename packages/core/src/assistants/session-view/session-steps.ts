import type { SessionTurn } from "../transcripts/session-transcript.schema.ts";
import { type CallEvents, callEvents } from "./call-events.ts";
import { isBesideTranscript } from "./session-prompts.ts";
import type { ViewedEvent } from "./session-view.queries.ts";
import type { SessionStep } from "./session-view.schema.ts";

/** The clocks of a transcript and of hooks are the same, but a hook runs a moment after the call is written down. */
const MAX_APART_MS = 10_000;

type Step = { -readonly [Field in keyof SessionStep]: SessionStep[Field] };

interface ViewedPart {
  readonly turns: readonly SessionTurn[];
  readonly events: readonly ViewedEvent[];
  /** When the last turn of the whole transcript was. */
  readonly end: string | null;
}

/** What was said and done for a prompt, in order: from the transcript, with what events know about its calls, and what only they know. */
export function stepsOf({ turns, events, end }: ViewedPart): SessionStep[] {
  const { steps, byCall } = stepsOfTurns(turns);
  const calls = callEvents(events);
  const known = { ids: new Set(byCall.keys()), end, hasTurns: turns.length > 0 };
  const free = new Set(steps.filter(({ kind }) => kind === "call"));
  const others: SessionStep[] = [];
  for (const call of calls) {
    const step = call.callId === null ? nearest(free, call) : (byCall.get(call.callId) ?? nearest(free, call));
    if (step !== undefined) {
      free.delete(step);
      annotate(step, call);
    } else if (call.isBlocked || isBesideTranscript(call, known)) {
      others.push(toStep(call));
    }
  }
  const prompt = events.find(({ eventType }) => eventType === "UserPromptSubmit");
  if (prompt !== undefined && !steps.some(({ kind }) => kind === "prompt")) others.unshift(promptStep(prompt));
  return merged(steps, others);
}

const NOTHING = {
  text: null,
  toolName: null,
  input: null,
  output: null,
  state: null,
  isAsked: false,
  reason: null,
  isOfSubagent: false,
  durationMs: null,
} as const;

function stepsOfTurns(turns: readonly SessionTurn[]): { steps: Step[]; byCall: ReadonlyMap<string, Step> } {
  const steps: Step[] = [];
  const byCall = new Map<string, Step>();
  let open: Step[] = [];
  for (const { position, kind, text, toolName, occurredAt, hasFailed, callId } of turns) {
    const common = { ...NOTHING, id: `turn-${position}`, position, startedAt: occurredAt };
    if (kind === "tool_call") {
      const step: Step = { ...common, kind: "call", toolName, input: text, state: "open" };
      steps.push(step);
      open.push(step);
      if (callId !== null) byCall.set(callId, step);
    } else if (kind === "tool_result") {
      const call = (callId === null ? undefined : byCall.get(callId)) ?? open[0];
      open = open.filter((other) => other !== call);
      const step: Step = call ?? { ...common, kind: "call", toolName: null };
      if (call === undefined) steps.push(step);
      step.output = text;
      step.state = hasFailed ? "failed" : "done";
      if (call !== undefined) step.durationMs = timeBetween(step.startedAt, occurredAt);
    } else {
      steps.push({ ...common, kind: kind === "user" ? "prompt" : "answer", text });
    }
  }
  return { steps, byCall };
}

function timeBetween(start: string | null, end: string | null): number | null {
  if (start === null || end === null) return null;
  const ms = Date.parse(end) - Date.parse(start);
  return ms >= 0 ? ms : null;
}

/** The call in the transcript that was made at about the time of another of the same tool. */
function nearest(steps: ReadonlySet<Step>, { toolName, startedAt, isOfSubagent }: CallEvents): Step | undefined {
  if (isOfSubagent) return undefined;
  const at = Date.parse(startedAt);
  const apart = (step: Step) => (step.startedAt === null ? Infinity : Math.abs(Date.parse(step.startedAt) - at));
  let best: Step | undefined;
  for (const step of steps) {
    if (step.toolName !== toolName || apart(step) > MAX_APART_MS) continue;
    if (best === undefined || apart(step) < apart(best)) best = step;
  }
  return best;
}

function annotate(step: Step, call: CallEvents): void {
  step.isAsked = call.isAsked;
  if (call.isBlocked) {
    step.state = "blocked";
    step.reason = call.reason;
  }
  if (call.durationMs !== undefined) step.durationMs = call.durationMs;
  if (!isJson(step.input) && call.input !== null && call.input !== undefined) step.input = inputText(call.input);
}

function isJson(text: string | null): boolean {
  try {
    JSON.parse(text ?? "");
    return true;
  } catch {
    return false;
  }
}

function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

function toStep(call: CallEvents): SessionStep {
  const { id, toolName, input, isAsked, isBlocked, reason, isDone, hasFailed, error, isOfSubagent } = call;
  return {
    ...NOTHING,
    id,
    kind: "call",
    position: null,
    toolName,
    input: input === null || input === undefined ? null : inputText(input),
    output: error,
    state: isBlocked ? "blocked" : hasFailed ? "failed" : isDone ? "done" : "open",
    isAsked,
    reason,
    isOfSubagent,
    startedAt: call.startedAt,
    durationMs: call.durationMs ?? null,
  };
}

function promptStep({ id, prompt, createdAt }: ViewedEvent): SessionStep {
  return { ...NOTHING, id, kind: "prompt", position: null, text: prompt ?? "", startedAt: createdAt };
}

/** Adds steps in their places by time. Those without a time stay after those that precede them. */
function merged(steps: readonly SessionStep[], others: readonly SessionStep[]): SessionStep[] {
  const all: SessionStep[] = [];
  let next = 0;
  for (const step of steps) {
    const { startedAt } = step;
    for (let other = others[next]; startedAt !== null && other !== undefined; other = others[next]) {
      if (other.startedAt === null || other.startedAt >= startedAt) break;
      all.push(other);
      next += 1;
    }
    all.push(step);
  }
  return [...all, ...others.slice(next)];
}
