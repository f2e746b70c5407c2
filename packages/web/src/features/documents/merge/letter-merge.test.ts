import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compute } from "../../../browser/compute-in-slices.ts";
import { mergeLetters } from "./letter-merge.ts";

const merge = (base: string, first: string, second: string) => compute(mergeLetters(base, first, second));
const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "😀"), maxLength: 20 });

describe("mergeLetters", () => {
  it.each([
    ["additions to a line", "Buy milk", "Buy fresh milk", "Buy milk today", "Buy fresh milk today"],
    ["additions at the same place, in order", "Buy", "Buy milk", "Buy bread", "Buy milk bread"],
    ["a deletion and an addition", "one two three", "one three", "one two three four", "one three four"],
    ["overlapping deletions", "one two three", "three", "one", ""],
    ["lines added at the same place", "a", "a\nb", "a\nc", "a\nb\nc"],
    ["a line added next to a changed one", "a\nb", "a\nx\nb", "a\nB", "a\nx\nB"],
    ["a line that the other has deleted", "a\nb\nc", "a\nb!\nc", "a\nc", "a\n!\nc"],
    ["characters of two code units", "😀", "😁", "😀😂", "😁😂"],
    ["the same letters, typed by both", "a", "ab", "ab", "abb"],
    ["the same replacement, made by both", "- [ ] a", "- [x] a", "- [x] a", "- [x] a"],
    ["changes of different lines", "a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"],
  ])("combines %s", (_name, base, first, second, merged) => {
    expect(merge(base, first, second)).toBe(merged);
  });

  it("leaves lines to the user that are too long to compare", () => {
    const long = "ab".repeat(20_000);
    expect(merge("a", long, `${long}!`)).toBeNull();
    expect(merge("a\nb", `${long}\nb`, "a\nc")).toBe(`${long}\nc`);
  });

  it("takes the other side if one has changed nothing", () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(merge(base, base, changed)).toBe(changed);
        expect(merge(base, changed, base)).toBe(changed);
      }),
    );
  });

  it("has each added letter once", () => {
    const addition = fc.record({
      at: fc.nat(20),
      letters: fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 }),
    });
    fc.assert(
      fc.property(text, addition, addition, (base, first, second) => {
        const letters = Array.from(base);
        const withAddition = (added: typeof first) => letters.toSpliced(added.at, 0, added.letters).join("");
        const merged = merge(base, withAddition(first), withAddition(second)) ?? "";
        const all = letters.join("") + first.letters + second.letters;
        expect(Array.from(merged).toSorted()).toEqual(Array.from(all).toSorted());
      }),
    );
  });
});
