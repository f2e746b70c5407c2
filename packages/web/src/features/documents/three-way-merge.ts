import { diffLines, linesOf, type LineChunk } from "./line-diff.ts";

/** A part of a merged text. */
export type MergePart =
  | { readonly kind: "same"; readonly lines: readonly string[] }
  | {
      readonly kind: "difference";
      readonly ours: readonly string[];
      readonly theirs: readonly string[];
      /** What the common ancestor says: who has changed this; null where both have, or where nobody knows. */
      readonly suggestion: MergeChoice | null;
    };

export type MergeChoice = "ours" | "theirs" | "both";

/**
 * Both sides of a conflict in one text: what they agree on, and where they differ. With the text that both began from, a
 * difference that only one side has made is suggested as that side has it.
 */
export function mergeTexts(base: string | null, ours: string, theirs: string): MergePart[] {
  const chunks = diffLines(linesOf(ours), linesOf(theirs));
  if (base === null) return chunks.map((chunk) => toPart(chunk, null));
  const baseLines = linesOf(base);
  const ourChanges = changedRanges(diffLines(baseLines, linesOf(ours)));
  const theirChanges = changedRanges(diffLines(baseLines, linesOf(theirs)));
  let [ourLine, theirLine] = [0, 0];
  return chunks.map((chunk) => {
    const ourPlace = { from: ourLine, to: (ourLine += chunk.before.length) };
    const theirPlace = { from: theirLine, to: (theirLine += chunk.after.length) };
    if (chunk.isSame) return toPart(chunk, null);
    return toPart(chunk, suggest(touches(ourChanges, ourPlace), touches(theirChanges, theirPlace)));
  });
}

/** The text that choices make; a difference without one keeps our side. */
export function linesOfPart(part: MergePart, choice: MergeChoice | null): readonly string[] {
  if (part.kind === "same") return part.lines;
  switch (choice) {
    case "theirs":
      return part.theirs;
    case "both":
      return [...part.ours, ...part.theirs];
    case "ours":
    case null:
      return part.ours;
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Which lines of the new text a change has touched; where it only takes away, the empty place between two lines. */
function changedRanges(chunks: readonly LineChunk[]): Range[] {
  const ranges: Range[] = [];
  let line = 0;
  for (const { isSame, after } of chunks) {
    if (!isSame) ranges.push({ from: line, to: line + after.length });
    line += after.length;
  }
  return ranges;
}

function touches(changes: readonly Range[], { from, to }: Range): boolean {
  return changes.some((change) => change.from <= to && change.to >= from);
}

function suggest(isOursChanged: boolean, isTheirsChanged: boolean): MergeChoice | null {
  if (isOursChanged === isTheirsChanged) return null;
  return isOursChanged ? "ours" : "theirs";
}

function toPart({ isSame, before, after }: LineChunk, suggestion: MergeChoice | null): MergePart {
  return isSame ? { kind: "same", lines: before } : { kind: "difference", ours: before, theirs: after, suggestion };
}
