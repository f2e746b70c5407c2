import { expect, test } from "vitest";
import { isAsExpected, promptOf, toolOf, tryRule } from "./fire-rules.ts";
import type { Rule, RuleConditions, RuleExamples } from "./policy.ts";

/** Whether each example, those that should match first, is judged as expected. */
function outcomesOf(when: RuleConditions, examples: RuleExamples): readonly boolean[] {
  const rule: Rule = { id: "rule", decision: "warn", reason: "Because.", when, examples };
  return tryRule(rule).map(isAsExpected);
}

test("every example is checked against its expectation", () => {
  const examples = { match: ["rm a", "ls", { tool: "Read", input: {} }], pass: ["ls", "rm a"] };
  expect(outcomesOf({ command: { program: ["rm"] } }, examples)).toEqual([true, false, false, true, false]);
});

test("examples of a rule about prompts are prompts", () => {
  const examples = { match: ["rm a", { tool: "rm a", input: {} }], pass: ["ls", "rm a"] };
  expect(outcomesOf({ prompt: "rm" }, examples)).toEqual([true, true, true, false]);
  expect(promptOf({ tool: "x", input: {} })).toBe('{"tool":"x","input":{}}');
});

test("an example given as a string is a shell command", () => {
  expect(toolOf("ls")).toEqual({ name: "Bash", input: { command: "ls" } });
  expect(toolOf({ tool: "Read", input: { path: "a" } })).toEqual({ name: "Read", input: { path: "a" } });
});

test("examples mean the same on every machine: with a home, a project and temporary directories", () => {
  const examples = { match: ["rm ~/x", "rm /home/user/y", "rm $HOME/z"], pass: ["rm x", "rm /tmp/x", "rm /var/tmp/x"] };
  expect(outcomesOf({ detect: { name: "delete-outside-project" } }, examples)).not.toContain(false);
  const pushes = { match: ["git push -f"], pass: [] };
  expect(outcomesOf({ detect: { name: "force-push", branches: ["topic"] } }, pushes)).toEqual([true]);
});
