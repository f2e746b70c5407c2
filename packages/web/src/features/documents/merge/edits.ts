import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { diffLines } from "./line-diff.ts";

/** That parts of a common ancestor, perhaps none, have been replaced by others. Parts are lines or characters. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly string[];
}

/** The edits that lead from one text to another, in order. */
export function* editsOf(before: readonly string[], after: readonly string[]): Pausable<Edit[]> {
  const edits: Edit[] = [];
  let from = 0;
  for (const chunk of yield* diffLines(before, after)) {
    const to = from + chunk.before.length;
    if (!chunk.isSame) edits.push({ from, to, parts: chunk.after });
    from = to;
  }
  return edits;
}

/** The parts between two places of the common ancestor with edits, all of which are between them. */
export function edited(base: readonly string[], edits: readonly Edit[], from = 0, to = base.length): string[] {
  const result: string[] = [];
  let place = from;
  for (const edit of edits) {
    for (; place < edit.from; place += 1) result.push(base[place] ?? "");
    for (const part of edit.parts) result.push(part);
    place = edit.to;
  }
  for (; place < to; place += 1) result.push(base[place] ?? "");
  return result;
}
