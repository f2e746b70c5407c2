import type { SessionTurn } from "../transcripts/session-transcript.schema.ts";
import { type CallEvents, callEvents } from "./call-events.ts";
import { isBesideTranscript } from "./session-prompts.ts";
import type { ViewedEvent } from "./session-view.queries.ts";
import type { SessionStep, SessionSteps } from "./session-view.schema.ts";

/** The clocks of a transcript and of hooks are the same, but a hook runs a moment after the call is written down. */
const MAX_APART_MS = 10_000;
/** So many calls of a tool at about the same time are compared with an event. */
const MAX_COMPARED = 50;

type Step = { -readonly [Field in keyof SessionStep]: SessionStep[Field] };

interface ViewedPart {
  readonly turns: readonly SessionTurn[];
  readonly events: readonly ViewedEvent[];
  /** When the last turn of the whole transcript was. */
  readonly end: string | null;
}

/**
 * Some of what was said and done for a prompt, in order: from the transcript, with what events know about its calls, and what only they
 * know.
 */
export function stepsOf(
  { turns, events, end }: ViewedPart,
  { from, limit }: { readonly from: number; readonly limit: number },
): SessionSteps {
  const { steps, byCall } = stepsOfTurns(turns);
  const calls = callEvents(events);
  const known = { ids: new Set(byCall.keys()), end, hasTurns: turns.length > 0 };
  const free = freeCalls(steps);
  const others: Step[] = [];
  /** What events say was given to a tool. */
  const inputs = new Map<SessionStep, unknown>();
  for (const call of calls) {
    const step = (call.callId === null ? undefined : byCall.get(call.callId)) ?? nearest(free, call);
    if (step !== undefined) {
      free.taken.add(step);
      annotate(step, call);
      inputs.set(step, call.input);
    } else if (call.isBlocked || isBesideTranscript(call, known)) {
      const other = toStep(call);
      others.push(other);
      inputs.set(other, call.input);
    }
  }
  const prompt = events.find(({ eventType }) => eventType === "UserPromptSubmit");
  if (prompt !== undefined && !steps.some(({ kind }) => kind === "prompt")) others.unshift(promptStep(prompt));
  const all = merged(steps, others);
  const page = all.slice(from - 1, from - 1 + limit);
  return { total: all.length, steps: page.map((step) => ({ ...step, input: inputOf(step, inputs.get(step)) })) };
}

/** What a tool was given: what the transcript has, unless that is cut, so that it is no JSON any more. */
function inputOf({ input }: SessionStep, known: unknown): string | null {
  if (known === undefined || known === null || (input !== null && isJson(input))) return input;
  return typeof known === "string" ? known : JSON.stringify(known);
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
      if (callId === null) open.push(step);
      else byCall.set(callId, step);
    } else if (kind === "tool_result") {
      // Some calls never get a result, for example those that look up memories, so one with an id is no other call's.
      const call = callId === null ? open[0] : byCall.get(callId);
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

/** The calls of a transcript that no event is known to be of. */
interface FreeCalls {
  /** By tool, in order of time. */
  readonly byTool: ReadonlyMap<string, readonly { readonly step: Step; readonly at: number }[]>;
  /** For each tool, before which of them no later event is. */
  readonly next: Map<string, number>;
  readonly taken: Set<Step>;
}

function freeCalls(steps: readonly Step[]): FreeCalls {
  const timed = steps.flatMap((step) =>
    step.kind === "call" && step.startedAt !== null ? [{ step, at: Date.parse(step.startedAt) }] : [],
  );
  const sorted = timed.toSorted((one, other) => one.at - other.at);
  const byTool = new Map<string, { readonly step: Step; readonly at: number }[]>();
  for (const call of sorted) {
    const name = call.step.toolName ?? "";
    const own = byTool.get(name);
    if (own === undefined) byTool.set(name, [call]);
    else own.push(call);
  }
  return { byTool, next: new Map(), taken: new Set() };
}

/** The call in the transcript that was made at about the time of another of the same tool. Those are asked about in order of time. */
function nearest(
  { byTool, next, taken }: FreeCalls,
  { toolName, startedAt, input, isOfSubagent }: CallEvents,
): Step | undefined {
  if (isOfSubagent) return undefined;
  const at = Date.parse(startedAt);
  const own = byTool.get(toolName) ?? [];
  let first = next.get(toolName) ?? 0;
  while (first < own.length && (own[first]?.at ?? 0) < at - MAX_APART_MS) first += 1;
  next.set(toolName, first);
  const near = own.slice(first, first + MAX_COMPARED).filter((call) => call.at <= at + MAX_APART_MS);
  const apart = near.filter(({ step }) => !taken.has(step)).map((call) => ({ ...call, ms: Math.abs(call.at - at) }));
  const byTime = apart.toSorted((one, other) => one.ms - other.ms);
  // Some assistants write down calls when they have ended.
  const given = sameForm(input);
  return (byTime.find(({ step }) => sameForm(parsed(step.input)) === given) ?? byTime[0])?.step;
}

/** JSON in which the order of fields does not matter. */
function sameForm(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** The value of JSON; any other text as it is. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}

function annotate(step: Step, call: CallEvents): void {
  step.isAsked = call.isAsked;
  if (call.isBlocked) {
    step.state = "blocked";
    step.reason = call.reason;
    // It did not run; what was measured is the hook.
    step.durationMs = null;
    return;
  }
  // Not all transcripts say so.
  if (call.hasFailed) step.state = "failed";
  if (call.durationMs !== undefined) step.durationMs = call.durationMs;
}

function isJson(text: string): boolean {
  return parsed(text) !== text;
}

function toStep(call: CallEvents): Step {
  const { id, toolName, isAsked, isBlocked, reason, isDone, hasFailed, error, isOfSubagent } = call;
  return {
    ...NOTHING,
    id,
    kind: "call",
    position: null,
    toolName,
    output: error,
    state: isBlocked ? "blocked" : hasFailed ? "failed" : isDone ? "done" : "open",
    isAsked,
    reason,
    isOfSubagent,
    startedAt: call.startedAt,
    durationMs: isBlocked ? null : (call.durationMs ?? null),
  };
}

function promptStep({ id, prompt, createdAt }: ViewedEvent): Step {
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
