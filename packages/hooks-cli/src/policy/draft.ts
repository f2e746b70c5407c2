import { type JsonValue, isRecord } from "../json/json-value.ts";
import { type Verdict, evaluateCall } from "./evaluate-policy.ts";
import { EXAMPLE_FACTS } from "./fire-rules.ts";
import { isBelow } from "./file-location.ts";
import type { Policy } from "./policy.ts";
import { type PolicyIssue, checkPolicy } from "./policy-check.ts";
import type { PolicyFacts } from "./policy-facts.ts";
import { interpretTool } from "./tool-call.ts";

export { PACKS, SAFE_PACK } from "../effects/effect-rules.ts";
export { describePack } from "../effects/pack-descriptions.ts";
export type { Verdict } from "./evaluate-policy.ts";

/** A call of a tool in a project: one that is being typed, or a recorded one. */
export interface DraftCall {
  readonly tool: string;
  /** Its parameters, by name. */
  readonly input: unknown;
  /** The folder in which it is made; that of a fictional project if it is undefined. */
  readonly projectDir?: string | undefined;
}

/** What a policy that is being edited would do, or what is wrong with it. Runs anywhere, also in a browser. */
export type JudgedDraft =
  | { readonly judge: (call: DraftCall) => Verdict; readonly issues: readonly [] }
  | { readonly judge: undefined; readonly issues: readonly PolicyIssue[] };

/** Checks a policy that is being edited; its rules judge calls as a hook would. */
export function openDraft(document: JsonValue): JudgedDraft {
  const { policy, issues } = checkPolicy(document);
  if (policy === undefined) return { judge: undefined, issues };
  return { judge: (call) => judge(policy, call), issues: [] };
}

function judge(policy: Policy, { tool, input, projectDir }: DraftCall): Verdict {
  const limits = { now: () => performance.now(), budgetMs: 100 };
  return evaluateCall(policy, interpretTool(tool, isRecord(input) ? input : {}), factsIn(projectDir), limits);
}

/**
 * What is known of a project on another machine: its folder, and the home that it lies in. Nothing is a link there, and every
 * file that is written exists.
 */
function factsIn(projectDir: string | undefined): PolicyFacts {
  if (projectDir === undefined || !projectDir.startsWith("/")) return EXAMPLE_FACTS;
  const home = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/.exec(projectDir)?.[0] ?? EXAMPLE_FACTS.home;
  return {
    ...EXAMPLE_FACTS,
    cwd: projectDir,
    projectRoot: projectDir,
    home,
    environment: { ...EXAMPLE_FACTS.environment, HOME: home },
    temporaryDirs: EXAMPLE_FACTS.temporaryDirs.filter((directory) => !isBelow(projectDir, directory)),
    isFile: () => true,
  };
}
