import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compute } from "../../../browser/compute-in-slices.ts";
import { mergeLines } from "./line-merge.ts";

const merge = (base: string, ours: string, theirs: string) => compute(mergeLines(base, ours, theirs));
const line = fc.constantFrom("a", "b", "c", "");
const lines = fc.array(line, { minLength: 1, maxLength: 12 });

describe("mergeLines", () => {
  it.each([
    ["different lines", "a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nD", "A\nb\nc\nD"],
    ["lines next to each other", "a\nb", "A\nb", "a\nB", "A\nB"],
    ["an addition and a deletion", "a\nb\nc\nd", "a\nb\nc\nd\ne", "b\nc\nd", "b\nc\nd\ne"],
    ["the same change twice", "a\nb", "A\nb", "A\nb", "A\nb"],
    ["only one side", "a\nb", "a\nb", "a\nB\n", "a\nB\n"],
  ])("combines changes of %s", (_name, base, ours, theirs, merged) => {
    expect(merge(base, ours, theirs)).toBe(merged);
    expect(merge(base, theirs, ours)).toBe(merged);
  });

  it.each([
    ["the same line", "a\nb", "A\nb", "aa\nb"],
    ["a line that the other side has deleted", "a\nb\nc", "a\nB\nc", "a\nc"],
    ["additions at the same place", "a", "a\nb", "a\nc"],
    ["an addition next to a changed line", "a\nb", "a\nx\nb", "a\nB"],
  ])("leaves to the user: %s", (_name, base, ours, theirs) => {
    expect(merge(base, ours, theirs)).toBeNull();
    expect(merge(base, theirs, ours)).toBeNull();
  });

  it("takes the other side if one has changed nothing, and is the same for either order", () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        const [one, two, three] = [base.join("\n"), ours.join("\n"), theirs.join("\n")];
        expect(merge(one, one, two)).toBe(two);
        expect(merge(one, two, two)).toBe(two);
        expect(merge(one, two, three)).toBe(merge(one, three, two));
      }),
    );
  });
});
