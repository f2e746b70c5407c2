import fc from "fast-check";
import { expect, test } from "vitest";
import { findText, indexOfText } from "./find-text.ts";

test("finds what the language finds", () => {
  const text = fc.stringMatching(/^[ab]{0,40}$/);
  fc.assert(
    fc.property(text, fc.stringMatching(/^[ab]{1,6}$/), (whole, wanted) => {
      const expected: number[] = [];
      for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + wanted.length)) expected.push(at);
      expect(findText(whole, wanted)).toEqual(expected);
    }),
  );
});

test("finds the first occurrence, of short texts and of long ones", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[ab]{0,200}$/),
      fc.stringMatching(/^[ab]{0,30}$/),
      fc.nat(200),
      (whole, given, at) => {
        for (const wanted of [given, whole.slice(at, at + 30)])
          expect(indexOfText(whole, wanted)).toBe(whole.indexOf(wanted));
      },
    ),
  );
});

test("is not slowed down by a long text that nearly occurs everywhere", () => {
  const half = "a".repeat(250_000);
  expect(findText("a".repeat(1_000_000), `${half}b${half}`)).toEqual([]);
  expect(indexOfText("a".repeat(1_000_000), `b${half}`)).toBe(-1);
});
