import { readFileSync } from "node:fs";
import type { Environment } from "../environment.ts";
import { rulesOfPacks } from "../effects/rules-of-packs.ts";
import { PACKS, SAFE_PACK } from "../effects/effect-rules.ts";
import { describePack } from "../effects/pack-descriptions.ts";
import { describeError, hasCode } from "../files/atomic-file.ts";
import { HARNESSES } from "../harness/registry.ts";
import { projectOf } from "../hook/hook-session.ts";
import { judge } from "../hook/judge.ts";
import { outcomeOf } from "../hook/verdict-outcome.ts";
import { parseRecord } from "../json/json-value.ts";
import { isAsExpected, tryEffect, tryRule } from "../policy/fire-rules.ts";
import type { Policy } from "../policy/policy.ts";
import { checkPolicy } from "../policy/policy-check.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { SHIPPED_RULES } from "../policy/shipped-rules.ts";
import { describeReplay, replay } from "./replay.ts";
import { type Arguments, UsageError, parseArguments } from "../terminal/arguments.ts";
import { print } from "../terminal/terminal.ts";
import { requireHome } from "./targets.ts";

const USAGE =
  "policy test [file] [--command <text>] [--prompt <text>], policy replay [file] [--days <number>] [--from <folder>], policy shipped, or policy packs";

/** `policy test`: fires every rule in force here, or those of a file; `--command` judges one command. */
export async function runPolicy(args: readonly string[], environment: Environment): Promise<number> {
  const parsed = parseArguments(args, { values: ["command", "prompt", "days", "from"], flags: ["help"] });
  if (parsed.flags.has("help")) {
    print(USAGE);
    return 0;
  }
  const [action, file] = parsed.positionals;
  if (action === "shipped") return listShipped();
  if (action === "packs") return listPacks();
  if (action !== "test" && action !== "replay") throw new UsageError(USAGE);
  const policy = file === undefined ? loadInstalled(environment) : loadFile(file);
  if (policy === undefined) return 1;
  if (action === "replay") return replayPast(policy, parsed.values, environment);
  const isSingle = parsed.values["command"] !== undefined || parsed.values["prompt"] !== undefined;
  return isSingle ? evaluateOne(policy, parsed.values, environment) : testRules(policy);
}

/** Shows what the policy would have done in the past sessions of this machine. */
function replayPast(policy: Policy, values: Arguments["values"], environment: Environment): number {
  const days = Number(values["days"] ?? 30);
  if (!(days > 0)) throw new UsageError("--days must be a positive number.");
  const root = values["from"];
  const budgetMs = Infinity;
  const found = replay(policy, environment, { root, sinceMs: Date.now() - days * 86_400_000, budgetMs });
  for (const line of describeReplay(found)) print(line);
  return 0;
}

function listShipped(): number {
  for (const { id, decision, reason } of SHIPPED_RULES) print(`${id} (${decision}): ${reason}`);
  return 0;
}

function listPacks(): number {
  print(`${SAFE_PACK.id}: ${describePack(SAFE_PACK.id).protects} It consists of the rules marked with *.`);
  for (const { id, rules, shipped } of PACKS) {
    print(`\n${id}: ${describePack(id).protects}`);
    for (const rule of rules) print(`  ${rule.isSafe ? "*" : " "} ${rule.id} (${rule.decision}): ${rule.reason}`);
    for (const name of shipped)
      print(`  ${SAFE_PACK.shipped.includes(name) ? "*" : " "} ${name} (ask): see policy shipped`);
  }
  return 0;
}

function loadInstalled(environment: Environment): Policy | undefined {
  const { policy, problems } = loadPolicy(requireHome(environment));
  for (const problem of problems) print(`✗ ${problem}`);
  return problems.length > 0 ? undefined : policy;
}

function loadFile(file: string): Policy | undefined {
  const { policy, issues } = checkPolicy(parseRecord(readText(file)) ?? null);
  for (const { path, message } of issues) print(`✗ ${path === "" ? file : path}: ${message}`);
  return policy;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const isMissing = hasCode(error, "ENOENT");
    throw new UsageError(isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${describeError(error)}`);
  }
}

function testRules(policy: Policy): number {
  const rules = [
    ...policy.rules.map((rule) => ({ rule, trials: tryRule(rule) })),
    ...rulesOfPacks(policy).map((rule) => ({ rule, trials: tryEffect(rule) })),
  ];
  let failures = 0;
  for (const { rule, trials } of rules) {
    const failed = trials
      .filter((trial) => !isAsExpected(trial))
      .map(({ shouldMatch, example }) => {
        const text = typeof example === "string" ? example : JSON.stringify(example);
        return `${shouldMatch ? "should match" : "should pass"}: ${text}`;
      });
    if (rule.examples.match.length === 0)
      failed.push("has no example that should match, so nothing proves that it works");
    failures += failed.length;
    print(`${failed.length === 0 ? "✓" : "✗"} ${rule.id} (${rule.decision}): ${trials.length} examples`);
    for (const line of failed) print(`    ${line}`);
  }
  print(`${rules.length} rules, ${failures} failures.`);
  return failures === 0 ? 0 : 1;
}

/** Judges by all rules, in the current directory. */
function evaluateOne(policy: Policy, { command, prompt }: Arguments["values"], environment: Environment): number {
  const payload = prompt === undefined ? { tool_name: "Bash", tool_input: { command: command ?? "" } } : { prompt };
  const event = { name: "", event: prompt === undefined ? "PreToolUse" : "UserPromptSubmit" } as const;
  const input = HARNESSES["claude-code"].readInput(event, payload);
  if (input === undefined) return 1;
  const { project, cwd } = projectOf(input, environment);
  const verdict = judge(policy, { input, cwd, project, environment });
  const { decision, reason, warnings } = outcomeOf(verdict, input);
  print([decision, reason, ...warnings].filter(Boolean).join("\n"));
  return decision === "deny" ? 2 : 0;
}
