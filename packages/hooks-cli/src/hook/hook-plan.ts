import type { HarnessEvent, HookEvent } from "../harness/harness.ts";

/** How much time each kind of hook has, and what it does with it. */
export interface HookPlan {
  /** For sending its own event. */
  readonly deliveryMs: number;
  /** A quick hook that gets no answer in its moment says nothing about the server. */
  readonly isQuick: boolean;
  /** Also sends what others left behind. */
  readonly sendsBacklog: boolean;
  /** Whatever happens, the process ends after this long. */
  readonly hardLimitMs: number;
}

/** The assistant waits for these, at every step of its work. */
const QUICK: HookPlan = { deliveryMs: 12, isQuick: true, sendsBacklog: false, hardLimitMs: 1_500 };

const PLANS: Readonly<Record<HookEvent, HookPlan>> = {
  PreToolUse: QUICK,
  UserPromptSubmit: QUICK,
  PostToolUse: QUICK,
  PostToolUseFailure: QUICK,
  SessionStart: { deliveryMs: 100, isQuick: false, sendsBacklog: false, hardLimitMs: 2_000 },
  // Nothing slow here: the assistant ends in a moment, and kills what is not done. A helper does the work.
  SessionEnd: { deliveryMs: 0, isQuick: true, sendsBacklog: false, hardLimitMs: 1_000 },
};

/** Nobody waits for it, so it has the time to send for the others. */
const ASYNC: HookPlan = { deliveryMs: 2_000, isQuick: false, sendsBacklog: true, hardLimitMs: 4_000 };

export function planFor(event: HarnessEvent): HookPlan {
  return event.isAsync === true ? ASYNC : PLANS[event.event];
}

/** The standard input comes at once or never. */
export const STDIN_DEADLINE_MS = 1_000;

/** For judging a call; rules that are not reached in it are reported. */
export const POLICY_BUDGET_MS = 500;
