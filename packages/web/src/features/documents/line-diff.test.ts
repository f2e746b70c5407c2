import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countChanges, diffLines } from "./line-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 });

describe("diffLines", () => {
  it("finds what was put in, taken away and replaced", () => {
    expect(diffLines(["a", "b", "c", "d"], ["a", "x", "c", "d", "e"])).toEqual([
      { isSame: true, before: ["a"], after: ["a"] },
      { isSame: false, before: ["b"], after: ["x"] },
      { isSame: true, before: ["c", "d"], after: ["c", "d"] },
      { isSame: false, before: [], after: ["e"] },
    ]);
  });

  it("holds all of both texts, whatever they are", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const chunks = diffLines(before, after);
        expect(chunks.flatMap((chunk) => chunk.before)).toEqual(before);
        expect(chunks.flatMap((chunk) => chunk.after)).toEqual(after);
        const same = chunks.filter(({ isSame }) => isSame);
        expect(same.map((chunk) => chunk.before)).toEqual(same.map((chunk) => chunk.after));
      }),
    );
  });

  it("never has two runs of one kind beside each other", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const kinds = diffLines(before, after).map(({ isSame }) => isSame);
        expect(kinds.some((kind, index) => index > 0 && kind === kinds[index - 1])).toBe(false);
      }),
    );
  });

  it("gives texts that have nothing in common back as one change, in little time", () => {
    const before = Array.from({ length: 6_000 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 6_000 }, (_, index) => `after ${index}`);
    expect(countChanges(diffLines(before, after))).toEqual({ added: 6_000, removed: 6_000 });
  });
});
