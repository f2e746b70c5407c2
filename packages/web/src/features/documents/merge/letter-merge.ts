import { compute, type Pausable } from "../../../browser/compute-in-slices.ts";
import { editsOf, type Edit } from "./edits.ts";
import { isSame, mergeLinesWith, type ContestedLines } from "./line-merge.ts";

/** Consecutive lines that both sides have changed are not compared by character if they have more than this. */
const MAX_LETTERS = 20_000;

/**
 * Both sides' changes of a common ancestor in one text, also if they are in the same line: all that either has added, without what either
 * has deleted. What both have added at the same place is in the order of the arguments; the same replacement made by both counts once.
 * Null if the lines that both have changed are together too long to compare.
 */
export function mergeLetters(base: string, first: string, second: string): Pausable<string | null> {
  return mergeLinesWith(base, first, second, mergeContested);
}

function mergeContested({ base, ours, theirs }: ContestedLines): readonly string[] | null {
  const letters = lettersOf(base);
  const [ourLetters, theirLetters] = [lettersOf(ours), lettersOf(theirs)];
  if (Math.max(letters.length, ourLetters.length, theirLetters.length) > MAX_LETTERS) return null;
  const merged = weave(letters, compute(editsOf(letters, ourLetters)), compute(editsOf(letters, theirLetters)));
  if (merged === "") return [];
  return (merged.endsWith("\n") ? merged.slice(0, -1) : merged).split("\n");
}

/** The characters of lines, each of which ends with a line break. Characters of two code units stay whole. */
function lettersOf(lines: readonly string[]): string[] {
  return Array.from(lines.map((line) => `${line}\n`).join(""));
}

function weave(letters: readonly string[], ours: readonly Edit[], theirs: readonly Edit[]): string {
  const added = new Map<number, string>();
  const deleted = new Set<number>();
  const isReplacedAlike = (edit: Edit) =>
    edit.from < edit.to &&
    ours.some(({ from, to, parts }) => from === edit.from && to === edit.to && isSame(parts, edit.parts));
  for (const { from, to, parts } of [...ours, ...theirs.filter((edit) => !isReplacedAlike(edit))]) {
    added.set(from, `${added.get(from) ?? ""}${parts.join("")}`);
    for (let place = from; place < to; place += 1) deleted.add(place);
  }
  let merged = "";
  for (let place = 0; place <= letters.length; place += 1) {
    merged += added.get(place) ?? "";
    if (!deleted.has(place)) merged += letters[place] ?? "";
  }
  return merged;
}
