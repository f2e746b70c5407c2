import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compute } from "../../../browser/compute-in-slices.ts";
import { diffLines } from "./line-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 });

const diff = (before: readonly string[], after: readonly string[]) => compute(diffLines(before, after));

describe("diffLines", () => {
  it("finds insertions, deletions and replacements", () => {
    expect(diff(["a", "b", "c", "d"], ["a", "x", "c", "d", "e"])).toEqual([
      { isSame: true, before: ["a"], after: ["a"] },
      { isSame: false, before: ["b"], after: ["x"] },
      { isSame: true, before: ["c", "d"], after: ["c", "d"] },
      { isSame: false, before: [], after: ["e"] },
    ]);
  });

  it("covers both texts completely", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const chunks = diff(before, after);
        expect(chunks.flatMap((chunk) => chunk.before)).toEqual(before);
        expect(chunks.flatMap((chunk) => chunk.after)).toEqual(after);
        const same = chunks.filter(({ isSame }) => isSame);
        expect(same.map((chunk) => chunk.before)).toEqual(same.map((chunk) => chunk.after));
      }),
    );
  });

  it("never has two adjacent runs of the same kind", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const kinds = diff(before, after).map(({ isSame }) => isSame);
        expect(kinds.some((kind, index) => index > 0 && kind === kinds[index - 1])).toBe(false);
      }),
    );
  });

  it("quickly returns texts with nothing in common as one change", () => {
    const before = Array.from({ length: 6_000 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 6_000 }, (_, index) => `after ${index}`);
    expect(diff(before, after)).toEqual([{ isSame: false, before, after }]);
  });
});
