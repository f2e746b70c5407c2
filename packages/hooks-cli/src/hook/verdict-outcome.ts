import type { HookInput, HookOutcome } from "../harness/harness.ts";
import type { Verdict } from "../policy/evaluate-policy.ts";
import type { Policy } from "../policy/policy.ts";
import { kindOfTool, mayConcern } from "../policy/tool-kinds.ts";
import type { RecordOutcome } from "../undo/recorder.ts";
import { UNJUDGED, asksUnjudged } from "./unread-call.ts";

/** The verdict about what no rule can match: undefined if one may, or if the event cannot be refused. */
export function verdictWithoutJudging(policy: Policy, { event, tool }: HookInput): Verdict | undefined {
  const isConcerned =
    event === "UserPromptSubmit"
      ? policy.rules.some(({ when }) => when.prompt !== undefined)
      : tool === undefined || mayConcern(policy, kindOfTool(tool.name));
  return isConcerned ? undefined : { decision: "allow", matches: [], skippedRules: 0, losesFiles: false };
}

/** The verdict about a call whose judging failed. */
export function verdictAfterFailure(policy: Policy, input: HookInput, problem: string): Verdict | undefined {
  if (!asksUnjudged(policy, input)) return undefined;
  const rule = { id: "not-judged", decision: "ask", reason: `${UNJUDGED}.` } as const;
  return { decision: "ask", matches: [{ rule, subject: problem }], skippedRules: 0, losesFiles: false };
}

/**
 * What a verdict means for the assistant and the user. `record`: what became of recording the project, for a call that is allowed
 * only if it can be undone.
 */
export function outcomeOf(
  verdict: Verdict | undefined,
  input: HookInput,
  record?: RecordOutcome,
): Omit<HookOutcome, "context"> {
  if (verdict === undefined) return { decision: "allow", reason: undefined, warnings: [] };
  const warnings = verdict.matches.filter(({ rule }) => rule.decision === "warn").map(describeMatch);
  const [strictest] = verdict.matches;
  if (verdict.skippedRules > 0 && verdict.decision !== "deny") {
    const reason = `This call is so large that ${verdict.skippedRules} rules of the policy could not be checked in time.`;
    return input.event === "PreToolUse"
      ? { decision: "ask", reason, warnings }
      : { decision: "allow", reason: undefined, warnings: [...warnings, reason] };
  }
  if (strictest === undefined || strictest.rule.decision === "warn")
    return { decision: "allow", reason: undefined, warnings };
  // A prompt cannot be asked about, so such a rule warns.
  if (strictest.rule.decision === "ask" && input.event === "UserPromptSubmit") {
    return { decision: "allow", reason: undefined, warnings: [describeMatch(strictest), ...warnings] };
  }
  if (strictest.rule.decision === "undo") {
    const lost = verdict.matches.find(({ rule, isRoutine }) => rule.decision === "undo" && isRoutine !== true);
    if (record?.isComplete === true || lost === undefined || input.event !== "PreToolUse")
      return { decision: "allow", reason: undefined, warnings };
    const why = record?.reason ?? "nothing is recorded here";
    return { decision: "ask", reason: `${describeMatch(lost)} It could not be undone: ${why}.`, warnings };
  }
  return { decision: strictest.rule.decision, reason: describeMatch(strictest), warnings };
}

function describeMatch({ rule, subject }: Verdict["matches"][number]): string {
  return `${rule.reason} (rule ${rule.id}, on: ${subject})`;
}
