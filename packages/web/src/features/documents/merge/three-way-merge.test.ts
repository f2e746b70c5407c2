import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compute } from "../../../browser/compute-in-slices.ts";
import { linesOfPart, mergeTexts, type MergeChoice, type MergePart } from "./three-way-merge.ts";

const merge = (base: string | null, ours: string, theirs: string) => compute(mergeTexts(base, ours, theirs));

function join(parts: readonly MergePart[], choiceOf: (part: MergePart) => MergeChoice | null): string {
  return parts.flatMap((part) => linesOfPart(part, choiceOf(part))).join("\n");
}

const text = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 20 }).map((all) => all.join("\n"));

describe("mergeTexts", () => {
  it("suggests each side's own changes, and leaves overlapping ones to the user", () => {
    const base = "title\n\none\ntwo\nthree\nfour";
    const parts = merge(base, "title\n\nONE\ntwo\nthree\nmine", "title!\n\none\ntwo\nthree\nyours");
    expect(parts.filter((part) => part.kind === "difference").map((part) => part.suggestion)).toEqual([
      "theirs",
      "ours",
      null,
    ]);
  });

  it("combines changes in different places into one text", () => {
    const base = "one\ntwo\nthree\nfour\nfive";
    const parts = merge(base, "ONE\ntwo\nthree\nfour\nfive", "one\ntwo\nthree\nfour\nfive\nsix");
    expect(join(parts, (part) => (part.kind === "difference" ? part.suggestion : null))).toBe(
      "ONE\ntwo\nthree\nfour\nfive\nsix",
    );
  });

  it("suggests nothing without a common ancestor", () => {
    const [part] = merge(null, "mine", "yours");
    expect(part).toEqual({ kind: "difference", ours: ["mine"], theirs: ["yours"], suggestion: null });
  });

  it("can always reproduce either side", () => {
    fc.assert(
      fc.property(fc.option(text), text, text, (base, ours, theirs) => {
        const parts = merge(base, ours, theirs);
        expect(join(parts, () => "ours")).toBe(ours);
        expect(join(parts, () => "theirs")).toBe(theirs);
      }),
    );
  });
});
