import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { edited, editsOf, type Edit } from "./edits.ts";
import { linesOf } from "./line-diff.ts";

/** Consecutive lines of the common ancestor that both sides have changed, and what each has made of them. */
export interface ContestedLines {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * Both sides' changes of a common ancestor in one text, if they are in different lines; otherwise null, for then only a person can tell
 * what the text should be. The same change made by both counts once. Lines added by both at the same place have no order.
 */
export function mergeLines(base: string, ours: string, theirs: string): Pausable<string | null> {
  return mergeLinesWith(base, ours, theirs, (contested) =>
    isSame(contested.ours, contested.theirs) ? contested.ours : null,
  );
}

/** As `mergeLines`, but lines that both sides have changed become what `settle` makes of them; null if it returns that. */
export function* mergeLinesWith(
  base: string,
  ours: string,
  theirs: string,
  settle: (contested: ContestedLines) => readonly string[] | null,
): Pausable<string | null> {
  const lines = linesOf(base);
  yield;
  const ourEdits = yield* editsOf(lines, linesOf(ours));
  const theirEdits = yield* editsOf(lines, linesOf(theirs));
  const combined: Edit[] = [];
  for (const group of groupEdits(ourEdits, theirEdits)) {
    const edit = combine(lines, group, settle);
    if (edit === null) return null;
    combined.push(edit);
    yield;
  }
  return edited(lines, combined).join("\n");
}

/** Edits of both sides that meet, directly or by others; one edit, if it meets none. */
interface Group {
  from: number;
  to: number;
  readonly ours: Edit[];
  readonly theirs: Edit[];
}

/** All edits in order, in groups of those that meet. */
function groupEdits(ours: readonly Edit[], theirs: readonly Edit[]): Group[] {
  const groups: Group[] = [];
  const all = [
    ...ours.map((edit) => ({ edit, side: "ours" as const })),
    ...theirs.map((edit) => ({ edit, side: "theirs" as const })),
  ];
  for (const { edit, side } of all.toSorted(
    (one, other) => one.edit.from - other.edit.from || one.edit.to - other.edit.to,
  )) {
    const last = groups.at(-1);
    if (last !== undefined && meet(last, edit)) {
      last.to = Math.max(last.to, edit.to);
      last[side].push(edit);
    } else {
      groups.push({ from: edit.from, to: edit.to, ours: [], theirs: [], [side]: [edit] });
    }
  }
  return groups;
}

function combine(
  lines: readonly string[],
  { from, to, ours, theirs }: Group,
  settle: (contested: ContestedLines) => readonly string[] | null,
): Edit | null {
  const [our, their] = [edited(lines, ours, from, to), edited(lines, theirs, from, to)];
  if (theirs.length === 0) return { from, to, parts: our };
  if (ours.length === 0) return { from, to, parts: their };
  const parts = settle({ base: lines.slice(from, to), ours: our, theirs: their });
  return parts === null ? null : { from, to, parts };
}

/** Whether two lists have the same lines, or characters. */
export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/**
 * Whether two edits are of the same line, or add lines at the same place. Lines that are only added next to a changed one may also
 * have been meant as a part of it.
 */
function meet(one: { readonly from: number; readonly to: number }, other: Edit): boolean {
  const isAddition = one.from === one.to || other.from === other.to;
  return isAddition ? one.from <= other.to && other.from <= one.to : one.from < other.to && other.from < one.to;
}
