import type { Harness, HarnessEvent, HookInput } from "../harness/harness.ts";
import type { Policy } from "../policy/policy.ts";
import type { LoadedPolicy } from "../policy/policy-store.ts";
import { writeReply } from "./write-reply.ts";

/** What people are told of a call that cannot be judged. */
export const UNJUDGED = "This call cannot be judged by the rules";

/** Whether a call that cannot be judged is asked about: if there are rules, since any of them may apply. */
export function asksUnjudged({ rules, effects }: Policy, { event }: HarnessEvent | HookInput): boolean {
  return event === "PreToolUse" && (rules.length > 0 || effects !== undefined);
}

/** Has the assistant ask about a call that could not be read. Returns the exit code of the hook. */
export function askUnread(harness: Harness, event: HarnessEvent, { policy }: LoadedPolicy, problem: string): 0 | 2 {
  if (!asksUnjudged(policy, event)) return 0;
  const reason = `${UNJUDGED}: ${problem}.`;
  const reply = harness.reply(event, { decision: "ask", reason, warnings: [], context: undefined });
  writeReply(reply);
  return reply.exitCode;
}
