import type { JsonValue } from "../json/json-value.ts";
import { type Verdict, evaluateCall } from "./evaluate-policy.ts";
import { EXAMPLE_FACTS } from "./fire-rules.ts";
import { type PolicyIssue, checkPolicy } from "./policy-check.ts";
import { interpretTool } from "./tool-call.ts";

export { PACKS, SAFE_PACK } from "../effects/effect-rules.ts";
export { describePack } from "../effects/pack-descriptions.ts";

/** What a policy that is being edited would do, or what is wrong with it. */
export type DraftVerdict =
  | { readonly verdict: Verdict; readonly issues: readonly [] }
  | { readonly verdict: undefined; readonly issues: readonly PolicyIssue[] };

/** Judges a shell command by a policy, as a hook would in a project of its own. Runs anywhere, also in a browser. */
export function judgeDraft(document: JsonValue, command: string): DraftVerdict {
  const { policy, issues } = checkPolicy(document);
  if (policy === undefined) return { verdict: undefined, issues };
  const limits = { now: () => performance.now(), budgetMs: 100 };
  return { verdict: evaluateCall(policy, interpretTool("Bash", { command }), EXAMPLE_FACTS, limits), issues: [] };
}
