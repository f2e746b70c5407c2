import { type JsonRecord, isRecord } from "../json/json-value.ts";
import { type EvaluationLimits, type Verdict, evaluateCall, evaluatePrompt } from "./evaluate-policy.ts";
import type { Rule, RuleExample } from "./policy.ts";
import type { PolicyFacts } from "./policy-facts.ts";
import { interpretTool } from "./tool-call.ts";

/** One attempt to fire a rule, or to show that it does not fire. */
export interface RuleTrial {
  readonly example: RuleExample;
  readonly isPrompt: boolean;
  readonly shouldMatch: boolean;
  readonly verdict: Verdict;
}

/** Fixed facts about a fictional machine, so that examples mean the same everywhere. */
export const EXAMPLE_FACTS: PolicyFacts = {
  cwd: "/home/user/project",
  projectRoot: "/home/user/project",
  home: "/home/user",
  environment: { HOME: "/home/user", USER: "user", PATH: "/usr/bin:/bin" },
  temporaryDirs: ["/tmp", "/var/tmp"],
  realPath: (path) => path,
  isFile: (path) =>
    /^\/home\/user\/\.(?:\w+\.\w+|\w*(?:rc|config|env|history|key|profile))$(?<!\/\.config)|^\/etc\/(?:fstab|group|hosts|passwd|profile|shadow|sudoers|[^/]+\.\w+)$|\/\.git\/refs\/heads\/(?:main|topic)$/.test(
      path,
    ),
  exists: () => true,
  contentOf: (path) => (path.endsWith("/drop.sql") ? "DROP TABLE a;" : undefined),
  branchAt: () => "topic",
};

const LIMITS: EvaluationLimits = { now: () => 0, budgetMs: 1 };

/** Tries a rule with its own examples. A rule without an example that should match is not proven to work. */
export function tryRule(rule: Rule): readonly RuleTrial[] {
  const isPrompt = rule.when.prompt !== undefined;
  const judge = (example: RuleExample, shouldMatch: boolean): RuleTrial => {
    const verdict = isPrompt
      ? evaluatePrompt({ rules: [rule] }, promptOf(example), LIMITS)
      : evaluateCall({ rules: [rule] }, callOf(example), EXAMPLE_FACTS, LIMITS);
    return { example, isPrompt, shouldMatch, verdict };
  };
  return tryExamples(rule.examples, judge);
}

/** The same for a rule of a pack. */
export function tryEffect({
  id,
  decision,
  examples,
}: Pick<Rule, "id" | "decision" | "examples">): readonly RuleTrial[] {
  const policy = { rules: [], effects: { [id]: decision } };
  return tryExamples(examples, (example, shouldMatch) => ({
    example,
    isPrompt: false,
    shouldMatch,
    verdict: evaluateCall(policy, callOf(example), EXAMPLE_FACTS, LIMITS),
  }));
}

function tryExamples(
  { match, pass }: Rule["examples"],
  judge: (example: RuleExample, shouldMatch: boolean) => RuleTrial,
): readonly RuleTrial[] {
  return [...match.map((example) => judge(example, true)), ...pass.map((example) => judge(example, false))];
}

export function isAsExpected({ verdict, shouldMatch }: RuleTrial): boolean {
  return (verdict.decision !== "allow") === shouldMatch;
}

/** The examples of a rule about prompts are texts. */
export function promptOf(example: RuleExample): string {
  return typeof example === "string" ? example : JSON.stringify(example);
}

export function toolOf(example: RuleExample): { readonly name: string; readonly input: JsonRecord } {
  if (typeof example === "string") return { name: "Bash", input: { command: example } };
  const input: unknown = example.input;
  return { name: example.tool, input: isRecord(input) ? input : {} };
}

function callOf(example: RuleExample): ReturnType<typeof interpretTool> {
  const { name, input } = toolOf(example);
  return interpretTool(name, input);
}
