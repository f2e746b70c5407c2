import * as fs from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.ts";
import type { Home } from "../files/home.ts";
import { parseRecord, recordAt, stringAt } from "../json/json-value.ts";
import { isAsExpected, promptOf, toolOf, tryRule } from "../policy/fire-rules.ts";
import type { Rule } from "../policy/policy.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { findEntries } from "../settings/hook-entries.ts";
import { knownRequests } from "./targets.ts";
import type { Check } from "./check.ts";
import { type RehearsalResult, promptPayload, rehearse, toolPayload } from "./rehearse.ts";

/**
 * Fires every rule: its examples in this process, and one through the very command in the assistant's settings, with the
 * very input that the assistant sends, to verify that a refusal is effective. None of this is recorded.
 */
export async function selfTest(environment: Environment, home: Home): Promise<readonly Check[]> {
  const { policy } = loadPolicy(home);
  const rules = policy.rules.length > 0 ? policy.rules : [PROBE];
  const checks: Check[] = rules.map((rule) => {
    const failed = tryRule(rule).filter((trial) => !isAsExpected(trial));
    return {
      title: `rule ${rule.id} fires on its examples only`,
      failure: failed[0] && `not as expected: ${JSON.stringify(failed[0].example)}`,
    };
  });
  const commands = installedCommands(environment, home);
  if (commands === undefined)
    return [...checks, { title: "a refusal is effective", failure: "Claude Code's settings do not call the hooks" }];
  const folder = fs.mkdtempSync(join(home.root, "self-test-"));
  try {
    for (const rule of rules) checks.push(await fireThroughSettings(rule, commands, folder));
    return checks;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** If there are no rules, a rule of our own shows that rules would work. */
const PROBE: Rule = {
  id: "self-test",
  decision: "deny",
  reason: "This is the self-test.",
  when: { command: { program: ["workspace-hooks-self-test"] } },
  examples: { match: ["workspace-hooks-self-test"], pass: ["ls"] },
};

interface InstalledCommands {
  readonly tool: string;
  readonly prompt: string;
}

function installedCommands(environment: Environment, home: Home): InstalledCommands | undefined {
  for (const { harness, target } of knownRequests(environment, home)) {
    if (harness.id !== "claude-code" || target.kind !== "entries") continue;
    const entries = findEntries(fs.readFileSync(target.file, "utf8"), target.plan.dialect);
    const commandOf = (event: string): string | undefined => entries.find((entry) => entry.event === event)?.command;
    const [tool, prompt] = [commandOf("PreToolUse"), commandOf("UserPromptSubmit")];
    if (tool !== undefined && prompt !== undefined) return { tool, prompt };
  }
  return undefined;
}

async function fireThroughSettings(rule: Rule, commands: InstalledCommands, folder: string): Promise<Check> {
  const title = `rule ${rule.id} is obeyed (${rule.decision})`;
  const project = join(folder, "project");
  fs.writeFileSync(join(folder, "policy.json"), JSON.stringify({ version: 1, rules: [rule] }));
  const [trial] = tryRule(rule);
  if (trial === undefined) return { title, failure: "it has no example" };
  const { name, input } = toolOf(trial.example);
  const result = await rehearse({
    command: trial.isPrompt ? commands.prompt : commands.tool,
    payload: trial.isPrompt ? promptPayload(promptOf(trial.example), project) : toolPayload(name, input, project),
    home: folder,
    project,
  });
  return {
    title,
    failure: isEffective(rule, trial.isPrompt, result)
      ? undefined
      : `exit code ${result.exitCode}, output ${result.stdout || "none"}`,
  };
}

/**
 * Checks the reply as the assistant reads it: a refusal must be effective by its exit code and by its JSON, independently.
 */
function isEffective(
  { decision, reason }: Rule,
  isPrompt: boolean,
  { exitCode, stdout, stderr }: RehearsalResult,
): boolean {
  const result = parseRecord(stdout);
  const specific = result && recordAt(result, "hookSpecificOutput");
  const isReported = isPrompt
    ? result?.["decision"] === "block"
    : specific?.["hookEventName"] === "PreToolUse" && specific["permissionDecision"] === decision;
  if (decision === "deny") return exitCode === 2 && isReported && stderr.includes(reason);
  const isShown = (result !== undefined && stringAt(result, "systemMessage")?.includes(reason)) === true;
  return exitCode === 0 && (decision === "ask" && !isPrompt ? isReported : isShown);
}
