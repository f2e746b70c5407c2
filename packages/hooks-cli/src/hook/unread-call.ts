import type { Harness, HarnessEvent } from "../harness/harness.ts";
import type { LoadedPolicy } from "../policy/policy-store.ts";
import { writeReply } from "./write-reply.ts";

/**
 * Has the assistant ask about a call that could not be read, if there are rules, since any of them may apply. Returns the exit code
 * of the hook.
 */
export function askUnread(harness: Harness, event: HarnessEvent, { policy }: LoadedPolicy, problem: string): 0 | 2 {
  if (event.event !== "PreToolUse" || (policy.rules.length === 0 && policy.effects === undefined)) return 0;
  const reason = `This call cannot be judged by the rules: ${problem}.`;
  const reply = harness.reply(event, { decision: "ask", reason, warnings: [], context: undefined });
  writeReply(reply);
  return reply.exitCode;
}
