/** What is remembered about the server from one hook process to the next. */
export interface BreakerState {
  /** Failures since the last success. */
  readonly failures: number;
  /** No process tries before then. */
  readonly openUntilMs: number;
  /** No process with little time tries before then: the server responds, but too slowly. */
  readonly slowUntilMs: number;
  /** `timedOut`: whether the process was kept waiting, as by a server that hangs. */
  readonly lastFailure: { readonly atMs: number; readonly message: string; readonly timedOut: boolean } | undefined;
  readonly lastSuccessAtMs: number | undefined;
}

export const CLOSED: BreakerState = {
  failures: 0,
  openUntilMs: 0,
  slowUntilMs: 0,
  lastFailure: undefined,
  lastSuccessAtMs: undefined,
};

/** Ends all pauses because a user wants a retry now. The history is kept. */
export function reset(state: BreakerState): BreakerState {
  return { ...state, failures: 0, openUntilMs: 0, slowUntilMs: 0 };
}

/** A restarting server, or a network that drops one connection, is no reason to stop. */
const FAILURES_TO_TRIP = 3;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 30_000;
const SLOW_PAUSE_MS = 30_000;

/** How long somebody waits for a server that has been hanging: about as long as the hook has other work meanwhile. */
export const BRIEF_MS = 12;

/** Whether a hook should try to reach the server now. `isQuick`: it has only a few milliseconds. */
export function allowsAttempt(state: BreakerState, nowMs: number, isQuick: boolean): boolean {
  return (
    !isPauseActive(state.openUntilMs, nowMs, MAX_PAUSE_MS) &&
    !(isQuick && isPauseActive(state.slowUntilMs, nowMs, SLOW_PAUSE_MS))
  );
}

/**
 * Whether a hook should ask the server now for what somebody waits for. To be refused costs nothing, so that only a server that kept
 * hooks waiting gets a pause, and one that has come back is used at once.
 */
export function allowsQuestion(state: BreakerState, nowMs: number): boolean {
  return state.lastFailure?.timedOut !== true || allowsAttempt(state, nowMs, false);
}

/** Whether a pause is still in effect. One that ends too far in the future was set while the clock was wrong. */
function isPauseActive(untilMs: number, nowMs: number, maxPauseMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + maxPauseMs;
}

/** Whether there were so many consecutive failures that the server gets a pause between attempts. */
export function isTripped({ failures }: BreakerState): boolean {
  return failures >= FAILURES_TO_TRIP;
}

/** Whether the server kept hooks waiting so often that none should wait for it for longer than {@link BRIEF_MS}. */
export function isHanging(state: BreakerState): boolean {
  return isTripped(state) && state.lastFailure?.timedOut === true;
}

/** Whether a process that nobody waits for should find out if the server is back, in spite of a pause, because a hook needs it. */
export function isTrialDue(state: BreakerState, nowMs: number): boolean {
  const sinceFailureMs = nowMs - (state.lastFailure?.atMs ?? 0);
  // A failure in the future was recorded while the clock was wrong.
  return isTripped(state) && (sinceFailureMs >= FIRST_PAUSE_MS || sinceFailureMs < 0);
}

/** After a pause one process tries; the others wait for as long as that may take. */
export function startTrial(state: BreakerState, nowMs: number, deadlineMs: number): BreakerState {
  return { ...state, openUntilMs: nowMs + Math.min(deadlineMs, MAX_PAUSE_MS) };
}

export function afterFailure(
  state: BreakerState,
  nowMs: number,
  { message, isTimeout = false }: { readonly message: string; readonly isTimeout?: boolean },
): BreakerState {
  const failures = state.failures + 1;
  const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(failures - FAILURES_TO_TRIP, 10);
  return {
    ...state,
    failures,
    openUntilMs: failures < FAILURES_TO_TRIP ? 0 : nowMs + Math.min(MAX_PAUSE_MS, pauseMs),
    lastFailure: { atMs: nowMs, message, timedOut: isTimeout },
  };
}

/** A few milliseconds were not enough, which does not affect callers that can wait longer. */
export function afterQuickTimeout(state: BreakerState, nowMs: number): BreakerState {
  return { ...state, slowUntilMs: nowMs + SLOW_PAUSE_MS };
}

export function afterSuccess(state: BreakerState, nowMs: number, wasQuick: boolean): BreakerState {
  return {
    ...state,
    failures: 0,
    openUntilMs: 0,
    slowUntilMs: wasQuick ? 0 : state.slowUntilMs,
    lastSuccessAtMs: nowMs,
  };
}
