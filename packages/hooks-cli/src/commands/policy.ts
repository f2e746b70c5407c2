import { readFileSync } from "node:fs";
import type { Environment } from "../environment.ts";
import { HARNESSES } from "../harness/registry.ts";
import { projectOf } from "../hook/hook-session.ts";
import { judge, outcomeOf } from "../hook/judge.ts";
import { parseRecord } from "../json/json-value.ts";
import { isAsExpected, tryRule } from "../policy/fire-rules.ts";
import type { Policy } from "../policy/policy.ts";
import { checkPolicy } from "../policy/policy-check.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { SHIPPED_RULES } from "../policy/shipped-rules.ts";
import { type Arguments, UsageError, parseArguments } from "../terminal/arguments.ts";
import { say } from "../terminal/terminal.ts";
import { requireHome } from "./targets.ts";

/** `policy test`: fires every rule that holds here, or those of a file; `--command` judges one command. */
export async function runPolicy(args: readonly string[], environment: Environment): Promise<number> {
  const parsed = parseArguments(args, { values: ["command", "prompt"] });
  const [action, file] = parsed.positionals;
  if (action === "shipped") return listShipped();
  if (action !== "test")
    throw new UsageError("policy test [file] [--command <text>] [--prompt <text>], or policy shipped");
  const policy = file === undefined ? loadHere(environment) : loadFile(file);
  if (policy === undefined) return 1;
  const isSingle = parsed.values["command"] !== undefined || parsed.values["prompt"] !== undefined;
  return isSingle ? judgeOne(policy, parsed.values, environment) : fireAll(policy);
}

function listShipped(): number {
  for (const { id, decision, reason } of SHIPPED_RULES) say(`${id} (${decision}): ${reason}`);
  return 0;
}

function loadHere(environment: Environment): Policy | undefined {
  const { policy, problems } = loadPolicy(requireHome(environment));
  for (const problem of problems) say(`✗ ${problem}`);
  return problems.length > 0 ? undefined : policy;
}

function loadFile(file: string): Policy | undefined {
  const { policy, issues } = checkPolicy(parseRecord(readFileSync(file, "utf8")) ?? null);
  for (const { path, message } of issues) say(`✗ ${path === "" ? file : path}: ${message}`);
  return policy;
}

function fireAll({ rules }: Policy): number {
  let failures = 0;
  for (const rule of rules) {
    const trials = tryRule(rule);
    const wrong = trials
      .filter((trial) => !isAsExpected(trial))
      .map(({ shouldMatch, example }) => {
        const text = typeof example === "string" ? example : JSON.stringify(example);
        return `${shouldMatch ? "should match" : "should let through"}: ${text}`;
      });
    if (rule.examples.match.length === 0)
      wrong.push("has no example that it should match, so nothing shows that it works");
    failures += wrong.length;
    say(`${wrong.length === 0 ? "✓" : "✗"} ${rule.id} (${rule.decision}): ${trials.length} examples`);
    for (const line of wrong) say(`    ${line}`);
  }
  say(`${rules.length} rules, ${failures} failures.`);
  return failures === 0 ? 0 : 1;
}

/** Judges by all rules, in the folder where the command was called. */
function judgeOne(policy: Policy, { command, prompt }: Arguments["values"], environment: Environment): number {
  const payload = prompt === undefined ? { tool_name: "Bash", tool_input: { command: command ?? "" } } : { prompt };
  const event = { name: "", event: prompt === undefined ? "PreToolUse" : "UserPromptSubmit" } as const;
  const input = HARNESSES["claude-code"].readInput(event, payload);
  if (input === undefined) return 1;
  const { project, cwd } = projectOf(input, environment);
  const verdict = judge(policy, { input, cwd, project, environment });
  const { decision, reason, warnings } = outcomeOf(verdict, input);
  say([decision, reason, ...warnings].filter(Boolean).join("\n"));
  return decision === "deny" ? 2 : 0;
}
