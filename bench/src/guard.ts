/**
 * How the packs judge lists of commands, with every rule on, and how long that takes:
 * `npm run bench -- guard <commands.json> <git directory> …`. The first is a JSON list of commands that are destructive; from the
 * repositories, harmless commands are collected: see `guard/harmless-commands.ts`. Prints what passes of the former, what is
 * asked about of the latter, and how often each rule asks.
 */
import { readFileSync } from "node:fs";
import { PACKS, SAFE_PACK } from "../../packages/hooks-cli/src/effects/effect-rules.ts";
import { type Verdict, evaluateCall } from "../../packages/hooks-cli/src/policy/evaluate-policy.ts";
import { EXAMPLE_FACTS } from "../../packages/hooks-cli/src/policy/fire-rules.ts";
import type { Policy } from "../../packages/hooks-cli/src/policy/policy.ts";
import { checkPolicy } from "../../packages/hooks-cli/src/policy/policy-check.ts";
import { interpretTool } from "../../packages/hooks-cli/src/policy/tool-call.ts";
import { harmlessCommands } from "./guard/harmless-commands.ts";

const [listFile = "", ...repositories] = process.argv.slice(2);

function policyOf(packs: readonly string[]): Policy {
  const { policy } = checkPolicy({ version: 1, packs: [...packs] });
  if (policy === undefined) throw new Error("A pack does not exist.");
  return policy;
}

const durations: number[] = [];

function judge(policy: Policy, command: string): Verdict {
  const before = process.cpuUsage();
  const verdict = evaluateCall(policy, interpretTool("Bash", { command }), EXAMPLE_FACTS, {
    now: () => performance.now(),
    budgetMs: 60_000,
  });
  const { user, system } = process.cpuUsage(before);
  durations.push((user + system) / 1_000);
  return verdict;
}

/** The share in percent with two decimals. */
function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`;
}

function measureDestructive(policy: Policy, commands: readonly string[]): void {
  const passed = commands.filter((command) => judge(policy, command).decision === "allow");
  console.log(
    `Destructive commands stopped or made undoable: ${share(commands.length - passed.length, commands.length)}`,
  );
  for (const command of passed) console.log(`  passes: ${JSON.stringify(command)}`);
}

function measureHarmless(policy: Policy, commands: readonly string[], showsAll: boolean): void {
  const byRule = new Map<string, number>();
  let asked = 0;
  for (const command of commands) {
    const { decision, matches } = judge(policy, command);
    if (decision !== "ask" && decision !== "deny") continue;
    asked += 1;
    const [first] = matches;
    if (first === undefined) continue;
    byRule.set(first.rule.id, (byRule.get(first.rule.id) ?? 0) + 1);
    if (showsAll) console.log(`  ${first.rule.id}: ${JSON.stringify(first.subject)}`);
  }
  console.log(`Harmless commands asked about: ${share(asked, commands.length)}`);
  for (const [rule, count] of [...byRule].toSorted((a, b) => b[1] - a[1])) console.log(`  ${count} × ${rule}`);
}

const destructive = JSON.parse(readFileSync(listFile, "utf8")) as string[];
const harmless = [...new Set(repositories.flatMap(harmlessCommands))];
const all = policyOf(PACKS.map(({ id }) => id));
measureDestructive(all, destructive);
console.log("All packs:");
durations.length = 0;
measureHarmless(all, harmless, true);
const sorted = durations.toSorted((a, b) => a - b);
const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2);
console.log(`Processor time per command in ms: median ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}`);
console.log("The safe pack:");
measureHarmless(policyOf([SAFE_PACK.id]), harmless, false);
