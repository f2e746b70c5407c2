import { describe, expect, test } from "vitest";
import { EVASIONS, KNOWN_SLIPS } from "../../tests/corpus/evasions.ts";
import { HARMLESS } from "../../tests/corpus/harmless.ts";
import { evaluateCall } from "./evaluate-policy.ts";
import { EXAMPLE_FACTS, isAsExpected, tryRule } from "./fire-rules.ts";
import type { Rule } from "./policy.ts";
import { SHIPPED_RULES } from "./shipped-rules.ts";
import { interpretTool } from "./tool-call.ts";

const LIMITS = { now: () => 0, budgetMs: 1 };

function isCaught(rules: readonly Rule[], command: string): boolean {
  return evaluateCall({ rules }, interpretTool("Bash", { command }), EXAMPLE_FACTS, LIMITS).decision !== "allow";
}

test.each(SHIPPED_RULES)("$id judges its own examples rightly", (rule) => {
  expect(tryRule(rule).filter((trial) => !isAsExpected(trial))).toEqual([]);
});

describe.each(EVASIONS)("attempts to slip past $rule", ({ rule: id, commands }) => {
  const rules = SHIPPED_RULES.filter((rule) => rule.id === id);

  test("fail, but for those that are known", () => {
    const slips = commands.filter((command) => !isCaught(rules, command));
    expect(slips).toEqual(commands.filter((command) => command in KNOWN_SLIPS));
  });
});

test("the corpus has at least 200 attempts, and knows of no slip that is none", () => {
  const all = EVASIONS.flatMap(({ commands }) => commands);
  expect(all.length).toBeGreaterThan(200);
  expect(Object.keys(KNOWN_SLIPS).filter((command) => !all.includes(command))).toEqual([]);
});

test("ordinary commands are hindered by no rule", () => {
  expect(HARMLESS.filter((command) => isCaught(SHIPPED_RULES, command))).toEqual([]);
});
