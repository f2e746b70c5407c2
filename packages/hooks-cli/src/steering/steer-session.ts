import { sinceStartMs } from "../clock.ts";
import { readBreaker, writeBreaker } from "../delivery/breaker-file.ts";
import { afterFailure } from "../delivery/circuit-breaker.ts";
import type { Connection } from "../delivery/api-call.ts";
import { repeatHeld } from "../approvals/held-request.ts";
import type { HarnessEvent, HookOutcome, HookReply } from "../harness/harness.ts";
import type { HookCall } from "../hook/hook-session.ts";
import type { Steerable, SteeredCall } from "../hook/steered-call.ts";
import { writeReply } from "../hook/write-reply.ts";
import { replyWith } from "./steered-reply.ts";
import {
  type PersonMessage,
  type Steering,
  type SteeringRequest,
  confirmSteering,
  takeSteering,
} from "./steering-api.ts";
import { toldText } from "./steering-text.ts";
import { forgetTold, readTold, rememberTold } from "./told-messages.ts";

/** It is known that there is something, so a slow server is waited for. */
const TAKE_MS = 3_000;
const CONFIRM_MS = 500;
/** How long the server holds a request while the session is paused. */
const HOLD_MS = 20_000;
/** What the hook needs after a pause: to judge the call, and to store its event. */
const RESERVE_MS = 2_500;
/** A call that has waited this long may be made again, to wait on: that costs little, and the session goes on once it is resumed. */
const MIN_REPEATED_WAIT_MS = 60_000;
const MAX_PAUSE_MS = 10 * 60_000;

/** What became of a session at one of its hooks. */
interface Course {
  readonly messages: readonly PersonMessage[];
  /** Why the call is refused; undefined if it is not. */
  readonly refusal: string | undefined;
  /** Whether the refusal ends the run. */
  readonly endsRun: boolean;
  /** The stop that is thereby done. */
  readonly doneId: string | undefined;
}

const HELD_BACK = "This call has not been made, so that you read this first: make it again if it is still right.";

const GO_ON: Course = { messages: [], refusal: undefined, endsRun: false, doneId: undefined };

/**
 * Does what a person has for the session of a hook: waits while it is paused, ends its run, or tells it something. `extend` moves the
 * time at which this process ends, whatever happens.
 */
export async function steer(
  call: HookCall,
  { connection, sessionId, at }: Steerable,
  extend: (byMs: number) => void,
): Promise<SteeredCall> {
  const { home, event, input, now } = call;
  const request: SteeringRequest = {
    sessionId,
    claim: process.getBuiltinModule("node:crypto").randomUUID(),
    ...at,
    fromSubagent: input.agentId !== undefined,
  };
  extend(TAKE_MS);
  const asked = await takeSteering(connection, request, 0, TAKE_MS);
  if (asked.kind === "unavailable") writeBreaker(home.breaker, afterFailure(readBreaker(home.breaker), now(), asked));
  if (asked.kind !== "ok") return { call };
  const course = await courseOf(call, connection, { request, steering: asked.value, extend });
  return withCourse(call, event, { connection, sessionId, course });
}

interface Asked {
  readonly request: SteeringRequest;
  readonly steering: Steering;
  readonly extend: (byMs: number) => void;
}

async function courseOf(call: HookCall, connection: Connection, { request, steering, extend }: Asked): Promise<Course> {
  if (request.moment !== "call" || steering.pausedBy === undefined || steering.stop !== undefined)
    return settledCourse(call, request, steering);
  extend(call.limitMs);
  const waitMs = call.limitMs - RESERVE_MS - sinceStartMs();
  let last = steering;
  const held = await repeatHeld(
    (deadlineMs) =>
      takeSteering(connection, request, Math.floor(Math.min(HOLD_MS, deadlineMs)), deadlineMs + RESERVE_MS / 2),
    (value) => (last = value).pausedBy === undefined || value.stop !== undefined,
    waitMs,
  );
  if (held.kind === "value") return settledCourse(call, request, held.value);
  const paused = `The user has paused this session in the dashboard (${steering.pausedBy}).`;
  if (held.kind !== "late")
    return ended(call, `${paused} The dashboard cannot be reached any more, so the run ends here.`);
  const mayRepeat = waitMs >= MIN_REPEATED_WAIT_MS && last.pausedForMs + waitMs < MAX_PAUSE_MS;
  return mayRepeat
    ? { ...GO_ON, refusal: `${paused} Do nothing else: make exactly this call again, it waits until they resume.` }
    : ended(
        call,
        `${paused} Nobody has resumed it in time, so the run ends here. Resume it there before the next prompt.`,
      );
}

/** What to do if the session is not paused. */
function settledCourse(call: HookCall, { moment, fromSubagent }: SteeringRequest, steering: Steering): Course {
  const { stop, messages } = steering;
  if (stop === undefined) return { ...GO_ON, messages };
  // The run is over in any case.
  if (moment === "end") return { ...GO_ON, doneId: stop.id };
  if (moment !== "call") return GO_ON;
  const course = ended(call, `The user has stopped this session in the dashboard (${stop.by}).`);
  // It is not done before the run is over: a subagent is not all of it, and some assistants only refuse one call after the other.
  return { ...course, doneId: course.endsRun && !fromSubagent ? stop.id : undefined };
}

/** The assistants that end a run because of a hook. */
const ENDING = new Set(["claude-code", "gemini-cli", "opencode"]);

function ended({ harness }: HookCall, reason: string): Course {
  return ENDING.has(harness.id)
    ? { ...GO_ON, refusal: reason, endsRun: true }
    : { ...GO_ON, refusal: `${reason} End your turn now, without another call: each is refused.` };
}

interface CourseOfSession {
  readonly connection: Connection;
  readonly sessionId: string;
  readonly course: Course;
}

/** The call that goes on from here, with the reply that the course demands. */
function withCourse(
  call: HookCall,
  event: HarnessEvent,
  { connection, sessionId, course }: CourseOfSession,
): SteeredCall {
  const { home, harness } = call;
  const told = readTold(home, sessionId);
  const messages = course.messages.filter(({ id }) => !told.has(id));
  const ids = [...course.messages.map(({ id }) => id), ...(course.doneId === undefined ? [] : [course.doneId])];
  if (ids.length === 0 && course.refusal === undefined) return { call };
  const text = messages.length === 0 ? undefined : toldText(messages);
  let confirmed: Promise<void> | undefined;
  /** Right after the reply, so that as little as possible can come in between. */
  const onReplied = (): void => {
    if (ids.length === 0) return;
    rememberTold(home, sessionId, ids);
    confirmed = confirm(call, connection, sessionId, ids);
  };
  // It can be told nothing else before a call, so it is told by a refusal, and the call is to be made again.
  const isHeldBack = harness.id === "gemini-cli" && event.event === "PreToolUse" && text !== undefined;
  const refusal = course.refusal ?? (isHeldBack ? `${text}\n\n${HELD_BACK}` : undefined);
  const reply = (at: HarnessEvent, outcome: HookOutcome): HookReply => {
    queueMicrotask(onReplied);
    return replyWith(harness, at, { outcome, text, endsRun: course.endsRun });
  };
  const finish = async (): Promise<void> => {
    if (confirmed === undefined) onReplied();
    await confirmed;
  };
  // At these events no hook replies otherwise.
  if (event.event !== "PreToolUse" && event.event !== "UserPromptSubmit") {
    writeReply(replyWith(harness, event, { outcome: NO_OUTCOME, text, endsRun: false }));
    onReplied();
    return { call, finish };
  }
  return {
    call: {
      ...call,
      harness: { ...harness, reply },
      ...(refusal !== undefined && {
        overruled: { decision: "deny", reason: refusal, warnings: [] },
        input: { ...call.input, details: { ...call.input.details, steered: refusal } },
      }),
    },
    finish,
  };
}

const NO_OUTCOME: HookOutcome = { decision: "allow", reason: undefined, warnings: [], context: undefined };

async function confirm(
  { home }: HookCall,
  connection: Connection,
  sessionId: string,
  ids: readonly string[],
): Promise<void> {
  const result = await confirmSteering(connection, sessionId, ids, CONFIRM_MS);
  if (result.kind !== "unavailable") forgetTold(home, sessionId);
}
