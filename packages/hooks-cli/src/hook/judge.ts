import { sinceStartMs } from "../clock.ts";
import { type Verdict, evaluateCall, evaluatePrompt } from "../policy/evaluate-policy.ts";
import { machineFacts } from "../policy/machine-facts.ts";
import type { Policy } from "../policy/policy.ts";
import { interpretTool } from "../policy/tool-call.ts";
import type { HookCall } from "./hook-session.ts";
import { POLICY_BUDGET_MS } from "./hook-plan.ts";

const LIMITS = { now: sinceStartMs, budgetMs: POLICY_BUDGET_MS };

/**
 * Judges a tool call or a prompt by the policy. Undefined for events that cannot be refused. What this needs is a file of its own,
 * the largest of all, which hooks load only if a rule may apply.
 */
export function judge(
  policy: Policy,
  { input, cwd, project, environment }: Pick<HookCall, "input" | "cwd" | "project" | "environment">,
  unrecorded?: readonly string[],
): Verdict | undefined {
  if (input.event === "UserPromptSubmit") return evaluatePrompt(policy, input.prompt ?? "", LIMITS);
  if (input.event !== "PreToolUse" || input.tool === undefined) return undefined;
  const call = interpretTool(input.tool.name, input.tool.input);
  const facts = machineFacts({
    cwd,
    projectRoot: project.root,
    home: environment.userHome,
    environment: environment.variables,
    unrecorded,
  });
  return evaluateCall(policy, call, facts, LIMITS);
}
