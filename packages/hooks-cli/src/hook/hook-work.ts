import { describeError } from "../files/atomic-file.ts";
import type { HookOutcome } from "../harness/harness.ts";
import type { HookPlan } from "./hook-plan.ts";
import type { HookCall, Report } from "./hook-session.ts";
import type { SteeredCall } from "./steered-call.ts";
import { writeReply } from "./write-reply.ts";

/** Problems that fail no call. */
export const NO_PASSES = "no passes";
export const NO_MEMORIES = "no memories added";
export const NOT_RECORDED = "the project could not be recorded";

/** The reply to the assistant, which stands regardless of later failures. */
export interface PendingReply {
  exitCode: 0 | 2;
  /** Whether a call has been judged and the assistant told, so that nothing that fails later changes it. */
  isGiven: boolean;
  /** Lets this process live longer, since it is to wait for a person. */
  extend(byMs: number): void;
}

/** What a hook works with besides its call. */
export interface Work {
  readonly plan: HookPlan;
  /** The call after what a person has for its session; the first time this asks the server, unless another request does. */
  steer(isAsked?: Promise<boolean>): Promise<SteeredCall>;
  readonly pendingReply: PendingReply;
  readonly report: Report;
}

/** What fails here must not fail the call. */
export async function attempt<T>(work: () => T | Promise<T>, problem: string, report: Report): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    report(`${problem} (${describeError(error)})`);
    return undefined;
  }
}

/** Replies to the assistant. Returns the exit code of the hook. */
export function reply(call: HookCall, outcome: HookOutcome): 0 | 2 {
  const pendingReply = call.harness.reply(call.event, outcome);
  writeReply(pendingReply);
  return pendingReply.exitCode;
}
