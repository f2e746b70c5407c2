import { findClusterBreak as findInCodeMirror } from "@codemirror/state";
import fc from "fast-check";
import { expect, it } from "vitest";
import { findClusterBreak } from "./cluster-break.ts";

const PARTS = [
  "a",
  "é",
  "e",
  "\u0301",
  "\u093f",
  "\u200d",
  "\ufe0f",
  "漢",
  "😀",
  "👩",
  "🏽",
  "🇩",
  "🇪",
  "ก",
  "\u0e33",
  "\u102b",
  "א",
  "\t",
];

it("finds the clusters that CodeMirror finds", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }), fc.boolean(), (parts, includeExtending) => {
      const text = parts.join("");
      let position = 0;
      for (const part of [...parts, ""]) {
        for (const isForward of [true, false]) {
          const expected = findInCodeMirror(text, position, isForward, includeExtending);
          expect(findClusterBreak(text, position, isForward, includeExtending)).toBe(expected);
        }
        position += part.length;
      }
    }),
    { numRuns: 2_000 },
  );
});

it("knows the same characters that extend others", () => {
  // Beyond, there are tags and variation selectors, which extend others, although CodeMirror leaves them out.
  const others = Array.from({ length: 0xe0000 }, (_, codePoint) => `a${String.fromCodePoint(codePoint)}`)
    // What this version of Unicode does not have yet does not count.
    .filter((text) => !/[\p{Cn}\p{Cs}]/u.test(text))
    .filter((text) => findClusterBreak(text, 0) !== findInCodeMirror(text, 0));
  expect(others).toEqual([]);
});

it.each([
  ["marks", "\u0301"],
  ["joiners", "\u200d"],
  ["joined emoji", "👩\u200d"],
  ["tags", "\u{e0067}"],
])("divides a letter of too many %s, the same way from both ends, without splitting a character", (_name, part) => {
  const text = part.repeat(3_000);
  const positions = [0];
  for (let position = 0; position < text.length;) positions.push((position = findClusterBreak(text, position)));
  for (const [index, position] of positions.entries()) {
    const before = positions[index - 1] ?? 0;
    expect(position - before).toBeLessThanOrEqual(130);
    expect(text.slice(before, position).isWellFormed()).toBe(true);
  }
  let [position, count] = [text.length, 0];
  while (position > 0) [position, count] = [findClusterBreak(text, position, false), count + 1];
  expect(count).toBe(positions.length - 1);
});
