/**
 * How the packs judge lists of commands, with every rule on, and how long that takes:
 * `npm run bench -- guard --destructive <git directory> … --harmless <git directory> … [--sample <commands of each source>] [--skip <commands of each source>] [--list]`.
 * Destructive commands are found in the tests of other guards, harmless ones among those that people publish: see
 * `guard/destructive-commands.ts` and `guard/collected-commands.ts`. Prints what passes of the former, what is asked about of the
 * latter, and how often each rule asks; with `--list` also which commands all packs ask about.
 */
import { parseArgs } from "node:util";
import { PACKS, SAFE_PACK } from "../../packages/hooks-cli/src/effects/effect-rules.ts";
import { type Verdict, evaluateCall } from "../../packages/hooks-cli/src/policy/evaluate-policy.ts";
import { EXAMPLE_FACTS } from "../../packages/hooks-cli/src/policy/fire-rules.ts";
import type { Policy } from "../../packages/hooks-cli/src/policy/policy.ts";
import { checkPolicy } from "../../packages/hooks-cli/src/policy/policy-check.ts";
import { interpretTool } from "../../packages/hooks-cli/src/policy/tool-call.ts";
import { collectCommands } from "./guard/collected-commands.ts";
import { destructiveCommands } from "./guard/destructive-commands.ts";
import { isDestructive } from "./guard/labels.ts";

const { values: given } = parseArgs({
  options: {
    destructive: { type: "string", multiple: true, default: [] },
    harmless: { type: "string", multiple: true, default: [] },
    sample: { type: "string", default: "3000" },
    skip: { type: "string", default: "0" },
    list: { type: "boolean", default: false },
  },
});

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

function measureDestructive(policy: Policy, commands: readonly string[], showsAll: boolean): void {
  const passed = commands.filter((command) => judge(policy, command).decision === "allow");
  console.log(
    `Destructive commands stopped or made undoable: ${share(commands.length - passed.length, commands.length)}`,
  );
  if (showsAll) for (const command of passed) console.log(`  passes: ${JSON.stringify(command)}`);
}

function isAskedAbout(policy: Policy, command: string): boolean {
  return /^(?:ask|deny)$/.test(judge(policy, command).decision);
}

function measureHarmless(policy: Policy, commands: readonly string[], showsAll: boolean): void {
  const byRule = new Map<string, number>();
  const asked = commands.filter((command) => isAskedAbout(policy, command));
  for (const command of asked) {
    const [first] = judge(policy, command).matches;
    if (first === undefined) continue;
    byRule.set(first.rule.id, (byRule.get(first.rule.id) ?? 0) + 1);
    if (showsAll) console.log(`  ${first.rule.id}: ${JSON.stringify(first.subject)} in ${JSON.stringify(command)}`);
  }
  console.log(`Harmless commands asked about: ${share(asked.length, commands.length)}`);
  for (const [rule, count] of [...byRule].toSorted((a, b) => b[1] - a[1])) console.log(`  ${count} × ${rule}`);
}

const all = policyOf(PACKS.map(({ id }) => id));
const safe = policyOf([SAFE_PACK.id]);
const destructive = destructiveCommands(given.destructive);
const from = Number(given.skip);
const sources = collectCommands(given.harmless).map(({ name, commands }) => ({
  name,
  collected: commands.length,
  sample: commands.slice(from, from + Number(given.sample)),
}));
for (const { name, collected, sample } of sources) {
  const harmless = sample.filter((command) => !isDestructive(command));
  const asked = harmless.filter(({ text }) => isAskedAbout(safe, text)).length;
  const askedOfAll = sample.filter(({ text }) => isAskedAbout(safe, text)).length;
  console.log(`${name}: ${sample.length} of ${collected}, of which harmless ${harmless.length}`);
  console.log(
    `  asked about by the safe pack ${share(asked, harmless.length)}, of all ${share(askedOfAll, sample.length)}`,
  );
}
const sampled = sources.flatMap(({ sample }) => sample);
const harmless = sampled.filter((command) => !isDestructive(command)).map(({ text }) => text);
console.log("All packs:");
measureDestructive(all, destructive, true);
durations.length = 0;
measureHarmless(all, harmless, given.list);
const sorted = durations.toSorted((a, b) => a - b);
const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2);
console.log(`Processor time per command in ms: median ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}`);
console.log("The safe pack:");
measureDestructive(safe, destructive, false);
measureHarmless(safe, harmless, true);
