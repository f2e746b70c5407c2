import { expect, test } from "vitest";
import { compileRulePattern, occursIn } from "./rule-pattern.ts";

test.each([
  ["rm -rf", "sudo rm -rf /", true],
  ["rm -rf", "sudo RM -RF /", false],
  ["(?i)rm -rf", "sudo RM -RF /", true],
  ["^rm", "sudo rm", false],
  ["[0-9]{4}-[0-9]{4}", "1234-5678", true],
  ["[0-9]{4}-[0-9]{4}", "1234 5678", false],
  ["Key", "a Key", true],
  ["Key", "a KEY", false],
  ["", "anything", true],
])("%j occurs in %j: %s", (source, text, expected) => {
  expect(occursIn(source, text)).toBe(expected);
  // The second time, it is already compiled.
  expect(occursIn(source, text)).toBe(expected);
});

test("an invalid pattern is reported with its position, with and without the flag for case", () => {
  expect(() => compileRulePattern("a(")).toThrow("at character 3");
  expect(() => compileRulePattern("(?i)a(")).toThrow("at character 3");
});
