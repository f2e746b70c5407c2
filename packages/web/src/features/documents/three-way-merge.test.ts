import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOfPart, mergeTexts, type MergeChoice, type MergePart } from "./three-way-merge.ts";

function join(parts: readonly MergePart[], choiceOf: (part: MergePart) => MergeChoice | null): string {
  return parts.flatMap((part) => linesOfPart(part, choiceOf(part))).join("\n");
}

const text = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 20 }).map((all) => all.join("\n"));

describe("mergeTexts", () => {
  it("suggests each side's own changes, and leaves what both have changed to the user", () => {
    const base = "title\n\none\ntwo\nthree\nfour";
    const parts = mergeTexts(base, "title\n\nONE\ntwo\nthree\nmine", "title!\n\none\ntwo\nthree\nyours");
    expect(parts.filter((part) => part.kind === "difference").map((part) => part.suggestion)).toEqual([
      "theirs",
      "ours",
      null,
    ]);
  });

  it("makes of changes in different places one text with both", () => {
    const base = "one\ntwo\nthree\nfour\nfive";
    const parts = mergeTexts(base, "ONE\ntwo\nthree\nfour\nfive", "one\ntwo\nthree\nfour\nfive\nsix");
    expect(join(parts, (part) => (part.kind === "difference" ? part.suggestion : null))).toBe(
      "ONE\ntwo\nthree\nfour\nfive\nsix",
    );
  });

  it("suggests nothing without the text that both began from", () => {
    const [part] = mergeTexts(null, "mine", "yours");
    expect(part).toEqual({ kind: "difference", ours: ["mine"], theirs: ["yours"], suggestion: null });
  });

  it("can always give back either side whole", () => {
    fc.assert(
      fc.property(fc.option(text), text, text, (base, ours, theirs) => {
        const parts = mergeTexts(base, ours, theirs);
        expect(join(parts, () => "ours")).toBe(ours);
        expect(join(parts, () => "theirs")).toBe(theirs);
      }),
    );
  });
});
