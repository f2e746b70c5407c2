import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { diffLines, linesOf, type LineChunk } from "./line-diff.ts";

/** A part of a merged text. */
export type MergePart =
  | { readonly kind: "same"; readonly lines: readonly string[] }
  | {
      readonly kind: "difference";
      readonly ours: readonly string[];
      readonly theirs: readonly string[];
      /** The side that changed the common ancestor; null if both did, or if there is no ancestor. */
      readonly suggestion: MergeChoice | null;
    };

export type MergeChoice = "ours" | "theirs" | "both";

/**
 * Both sides of a conflict in one text: what they agree on, and where they differ. Given the common ancestor, a difference
 * that only one side has made is suggested in that side's version.
 */
export function* mergeTexts(base: string | null, ours: string, theirs: string): Pausable<MergePart[]> {
  const ourLines = linesOf(ours);
  yield;
  const theirLines = linesOf(theirs);
  yield;
  const chunks = yield* diffLines(ourLines, theirLines);
  if (base === null) return chunks.map((chunk) => toPart(chunk, null));
  const baseLines = linesOf(base);
  yield;
  const ourChanges = changedRanges(yield* diffLines(baseLines, ourLines));
  const theirChanges = changedRanges(yield* diffLines(baseLines, theirLines));
  let [ourLine, theirLine] = [0, 0];
  return chunks.map((chunk) => {
    const ourRange = { from: ourLine, to: (ourLine += chunk.before.length) };
    const theirRange = { from: theirLine, to: (theirLine += chunk.after.length) };
    if (chunk.isSame) return toPart(chunk, null);
    return toPart(chunk, suggest(touches(ourChanges, ourRange), touches(theirChanges, theirRange)));
  });
}

/** The lines that result from a choice; without one, our side. */
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

/** Which lines of the new text a change has touched; for a deletion, the empty position between two lines. */
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
