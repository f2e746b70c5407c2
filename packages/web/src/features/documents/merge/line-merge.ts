import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { diffLines, linesOf, type LineChunk } from "./line-diff.ts";

/** That lines of the common ancestor, perhaps none, have been replaced by others. */
interface LineEdit {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/**
 * Both sides' changes of a common ancestor in one text, if they are in different lines; otherwise null, for then only a person can tell
 * what the text should be. The same change made by both counts once. Lines added by both at the same place have no order.
 */
export function* mergeLines(base: string, ours: string, theirs: string): Pausable<string | null> {
  const lines = linesOf(base);
  yield;
  const ourEdits = editsOf(yield* diffLines(lines, linesOf(ours)));
  const theirEdits = editsOf(yield* diffLines(lines, linesOf(theirs)));
  const edits = combine(ourEdits, theirEdits);
  if (edits === null) return null;
  const merged: string[] = [];
  let line = 0;
  for (const { from, to, lines: added } of edits) {
    for (; line < from; line += 1) merged.push(lines[line] ?? "");
    for (const text of added) merged.push(text);
    line = to;
    yield;
  }
  for (; line < lines.length; line += 1) merged.push(lines[line] ?? "");
  return merged.join("\n");
}

function editsOf(chunks: readonly LineChunk[]): LineEdit[] {
  const edits: LineEdit[] = [];
  let line = 0;
  for (const { isSame, before, after } of chunks) {
    if (!isSame) edits.push({ from: line, to: line + before.length, lines: after });
    line += before.length;
  }
  return edits;
}

/** All edits in order; null if two sides' edits meet. */
function combine(ours: readonly LineEdit[], theirs: readonly LineEdit[]): LineEdit[] | null {
  const combined: LineEdit[] = [];
  let [our, their] = [0, 0];
  for (;;) {
    const [one, other] = [ours[our], theirs[their]];
    if (one === undefined || other === undefined) return [...combined, ...ours.slice(our), ...theirs.slice(their)];
    if (isSameEdit(one, other)) {
      combined.push(one);
      our += 1;
      their += 1;
    } else if (meet(one, other)) {
      return null;
    } else if (isBefore(one, other)) {
      combined.push(one);
      our += 1;
    } else {
      combined.push(other);
      their += 1;
    }
  }
}

function isSameEdit(one: LineEdit, other: LineEdit): boolean {
  const isSamePlace = one.from === other.from && one.to === other.to && one.lines.length === other.lines.length;
  return isSamePlace && one.lines.every((line, index) => line === other.lines[index]);
}

/**
 * Whether two edits are of the same line, or add lines at the same place. Lines that are only added next to a changed one may also
 * have been meant as a part of it.
 */
function meet(one: LineEdit, other: LineEdit): boolean {
  const isAddition = one.from === one.to || other.from === other.to;
  return isAddition ? one.from <= other.to && other.from <= one.to : one.from < other.to && other.from < one.to;
}

function isBefore(one: LineEdit, other: LineEdit): boolean {
  return one.from < other.from || (one.from === other.from && one.to < other.to);
}
