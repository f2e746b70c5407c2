import * as fs from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.ts";
import type { Home } from "../files/home.ts";
import type { Harness, HookEvent } from "../harness/harness.ts";
import { type JsonRecord, parseRecord, recordAt, stringAt } from "../json/json-value.ts";
import { rulesOfPacks } from "../effects/rules-of-packs.ts";
import { type RuleTrial, isAsExpected, promptOf, toolOf, tryEffect, tryRule } from "../policy/fire-rules.ts";
import type { Rule } from "../policy/policy.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { findEntries } from "../settings/hook-entries.ts";
import { launchCommand } from "../settings/hook-command.ts";
import { knownRequests } from "./targets.ts";
import type { Check } from "./check.ts";
import { type RehearsalResult, promptPayload, rehearse, toolPayload } from "./rehearse.ts";

/**
 * Fires every rule: its examples in this process, and one through the very command in each assistant's settings, with the
 * very input that the assistant sends, to verify the reply. Whether the assistant calls the hooks is not known by that. None of
 * this is recorded.
 */
export async function selfTest(environment: Environment, home: Home): Promise<readonly Check[]> {
  const { policy } = loadPolicy(home);
  const rules = policy.rules.length > 0 ? policy.rules : [PROBE];
  const checks = [
    ...rules.map((rule) => checkTrials(rule.id, tryRule(rule))),
    ...rulesOfPacks(policy).map((rule) => checkTrials(rule.id, tryEffect(rule))),
  ];
  const installations = installedCommands(environment, home);
  if (installations.length === 0)
    return [...checks, { title: "the hooks reply", failure: "no assistant's settings call the hooks" }];
  const folder = fs.mkdtempSync(join(home.root, "self-test-"));
  try {
    for (const commands of installations)
      for (const rule of rules) checks.push(await fireThroughSettings(rule, commands, folder));
    return checks;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function checkTrials(id: string, trials: readonly RuleTrial[]): Check {
  const failed = trials.find((trial) => !isAsExpected(trial));
  return {
    title: `rule ${id} fires on its examples only`,
    failure: failed && `not as expected: ${JSON.stringify(failed.example)}`,
  };
}

/** If there are no rules, a rule of our own shows that rules would work. */
const PROBE: Rule = {
  id: "self-test",
  decision: "deny",
  reason: "This is the self-test.",
  when: { command: { program: ["workspace-hooks-self-test"] } },
  examples: { match: ["workspace-hooks-self-test"], pass: ["ls"] },
};

interface HookCommand {
  /** The assistant's own name of the event. */
  readonly event: string;
  readonly command: string;
}

/** How an assistant calls the hooks. */
interface InstalledCommands {
  readonly harness: Harness;
  readonly tool: HookCommand;
  readonly prompt: HookCommand;
}

function installedCommands(environment: Environment, home: Home): readonly InstalledCommands[] {
  return knownRequests(environment, home).flatMap(({ harness, target }) => {
    const entries =
      target.kind === "plugin"
        ? harness.events.map(({ name: event }) => ({ event, command: pluginCommand(harness, event, home) }))
        : findEntries(fs.readFileSync(target.file, "utf8"), target.plan.dialect);
    const commandOf = (kind: HookEvent): HookCommand | undefined => {
      const name = harness.events.find((event) => event.event === kind)?.name;
      return entries.find((entry) => entry.event === name);
    };
    const [tool, prompt] = [commandOf("PreToolUse"), commandOf("UserPromptSubmit")];
    return tool === undefined || prompt === undefined ? [] : [{ harness, tool, prompt }];
  });
}

function pluginCommand({ id }: Harness, event: string, home: Home): string {
  return launchCommand(process.execPath, home.launcher, `run ${event} --for ${id}`);
}

async function fireThroughSettings(rule: Rule, installed: InstalledCommands, folder: string): Promise<Check> {
  const { harness } = installed;
  const title = `rule ${rule.id}: the hooks reply ${rule.decision} to ${harness.title}`;
  const project = join(folder, "project");
  fs.writeFileSync(join(folder, "policy.json"), JSON.stringify({ version: 1, rules: [rule] }));
  const [trial] = tryRule(rule);
  if (trial === undefined) return { title, failure: "it has no example" };
  const { name, input } = toolOf(trial.example);
  const { event, command } = trial.isPrompt ? installed.prompt : installed.tool;
  const payload = trial.isPrompt ? promptPayload(promptOf(trial.example), project) : toolPayload(name, input, project);
  const result = await rehearse({ command, payload: { ...payload, hook_event_name: event }, home: folder, project });
  return {
    title,
    failure: isEffective(rule, harness, trial.isPrompt, result)
      ? undefined
      : `exit code ${result.exitCode}, output ${result.stdout || "none"}`,
  };
}

/**
 * Checks the reply as the assistant reads it: a refusal must be effective by its exit code and by its JSON, independently. Where
 * an assistant cannot ask before a tool, "ask" is a refusal.
 */
function isEffective(
  { decision, reason }: Rule,
  harness: Harness,
  isPrompt: boolean,
  { exitCode, stdout, stderr }: RehearsalResult,
): boolean {
  const result = parseRecord(stdout);
  const canAsk = harness.id === "claude-code";
  const isAsked = decision === "ask" && !isPrompt && canAsk;
  if (decision === "deny" || (decision === "ask" && !isPrompt && !canAsk))
    return exitCode === 2 && decisionIn(result, isPrompt) === "deny" && stderr.includes(reason);
  const isShown = (result !== undefined && stringAt(result, "systemMessage")?.includes(reason)) === true;
  // Cursor shows no warnings.
  return exitCode === 0 && (isAsked ? decisionIn(result, isPrompt) === "ask" : isShown || harness.id === "cursor");
}

/** The decision in the JSON of a reply, in whichever form an assistant reads it. */
function decisionIn(result: JsonRecord | undefined, isPrompt: boolean): string | undefined {
  if (result === undefined) return undefined;
  const specific = recordAt(result, "hookSpecificOutput");
  if (!isPrompt && specific !== undefined && specific["hookEventName"] === "PreToolUse")
    return stringAt(specific, "permissionDecision");
  const isRefusal = ["block", "deny"].includes(stringAt(result, "decision") ?? stringAt(result, "permission") ?? "");
  return isRefusal || result["continue"] === false ? "deny" : undefined;
}
