import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern } from "./linear-matcher.ts";
import { requiredText } from "./pattern-facts.ts";

/** Patterns of the supported kind, small enough to be compared with JavaScript's own engine. */
const pattern: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      "a",
      "b",
      "c",
      ".",
      "[ab]",
      "[^a]",
      "\\d",
      "\\w",
      "\\s",
      "\\b",
      "^",
      "$",
      "\\.",
      "[a-c1]",
      "\\n",
      "x",
    ),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(
        fc.constantFrom("a", "b", "[ab]", ".", "\\w"),
        fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{0,}", "*?"),
      )
      .map(([a, b]) => `${a}${b}`),
    tie("pattern").map((a) => `(${a})*`),
  ),
})).pattern;
const text = fc.stringMatching(/^[abcx1 .\n]{0,12}$/);

describe("compilePattern", () => {
  test("finds the same matches as JavaScript's own engine", () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(compilePattern(source).matches(subject)).toBe(new RegExp(source).test(subject));
      }),
      { numRuns: 3_000 },
    );
  });

  test("agrees on whole matches and on case", () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(compilePattern(source, { isWhole: true }).matches(subject)).toBe(
          new RegExp(`^(?:${source})$`).test(subject),
        );
        expect(compilePattern(source, { isCaseInsensitive: true }).matches(subject.toUpperCase())).toBe(
          new RegExp(source, "i").test(subject.toUpperCase()),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(["(a+)+$", "(a*)*b", "(a|a)*b", "(.*)*x", "a*a*a*a*a*b", "(?:a{1,50}){1,20}b", "(\\w+\\s?)*!"])(
    "%s takes linear time",
    (source) => {
      const matcher = compilePattern(source);
      const startedAt = performance.now();
      matcher.matches("a".repeat(5_000));
      // A backtracking matcher would take practically forever; the margin is for a busy machine.
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    },
  );

  test.each([
    "a(",
    "a)",
    "[a",
    "*a",
    "a**",
    "\\1",
    "(?=a)",
    "(?<!a)b",
    "a{3,1}",
    "\\p{L}",
    "\\",
    "[z-a]",
    "a{999}",
    "(?i)a",
    "^*",
  ])("rejects %s and reports the position", (source) => {
    expect(() => compilePattern(source)).toThrow(/at character \d+|too large/);
  });

  test("immediately rejects a pattern that would grow too large", () => {
    expect(() => compilePattern("((((a{100}){100}){100}){100})")).toThrow("too large");
    expect(() => compilePattern("(((((){200}){200}){200}){200}){200}")).not.toThrow();
  });
});

test("the required text occurs in every match of a pattern", () => {
  fc.assert(
    fc.property(pattern, text, (source, subject) => {
      fc.pre(new RegExp(source).test(subject));
      expect(subject.toLowerCase()).toContain(requiredText(source));
    }),
    { numRuns: 2_000 },
  );
});
