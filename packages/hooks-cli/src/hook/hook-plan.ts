import type { HarnessEvent, HookEvent, InnerEvent } from "../harness/harness.ts";

/** How much time each kind of hook has, and how it uses it. */
export interface HookPlan {
  /** The time for sending its own event. */
  readonly deliveryMs: number;
  /** Whether the hook is so quick that a missing response says nothing about the server. */
  readonly isQuick: boolean;
  /** Whether it also sends events left behind by others. */
  readonly sendsBacklog: boolean;
  /** The process exits after this long, whatever happens. */
  readonly hardLimitMs: number;
}

/** The assistant waits for these at every step of its work. */
const QUICK: HookPlan = { deliveryMs: 12, isQuick: true, sendsBacklog: false, hardLimitMs: 1_500 };

/** Nothing slow here: the assistant waits, or is exiting and kills whatever has not finished. A helper does the work. */
const HANDS_OVER: HookPlan = { deliveryMs: 0, isQuick: true, sendsBacklog: false, hardLimitMs: 1_000 };

const PLANS: Readonly<Record<HookEvent | InnerEvent, HookPlan>> = {
  PreToolUse: QUICK,
  UserPromptSubmit: QUICK,
  PostToolUse: QUICK,
  PostToolUseFailure: QUICK,
  SessionStart: { deliveryMs: 100, isQuick: false, sendsBacklog: false, hardLimitMs: 2_000 },
  Stop: HANDS_OVER,
  SubagentStop: HANDS_OVER,
  PreCompact: HANDS_OVER,
  SessionEnd: HANDS_OVER,
  Wait: HANDS_OVER,
};

/** Nobody waits for it, so it has time to send other events too. */
const ASYNC: HookPlan = { deliveryMs: 2_000, isQuick: false, sendsBacklog: true, hardLimitMs: 4_000 };

export function planFor(event: HarnessEvent): HookPlan {
  return event.isAsync === true ? ASYNC : PLANS[event.event];
}

/** How long assistants wait for a hook, in seconds, unless its command says otherwise. They take milliseconds; this is for a stuck machine. */
export const DEFAULT_TIMEOUT_S = 10;

/** The same for a hook before a tool: a person may be asked, for at most two minutes. */
export const ASKING_TIMEOUT_S = 130;

/** The standard input arrives immediately or never. */
export const STDIN_DEADLINE_MS = 1_000;

/** The time for judging a call; rules not reached in time are reported. */
export const POLICY_BUDGET_MS = 500;
