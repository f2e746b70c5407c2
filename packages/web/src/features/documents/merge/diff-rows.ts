import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { diffLines, linesOf, type LineChunk } from "./line-diff.ts";

/** A row of a rendered diff: an unchanged, removed or added line, or a gap of hidden unchanged lines. */
export type DiffRow =
  | { readonly kind: "same" | "removed" | "added"; readonly text: string; readonly line: number }
  | { readonly kind: "gap"; readonly count: number; readonly line: number };

const CONTEXT_LINES = 3;

/** The changes between two texts, line by line. */
export function* compareTexts(before: string, after: string): Pausable<readonly LineChunk[]> {
  // The empty string after the last line break counts as a line only if the texts differ there.
  const isEnded = before.endsWith("\n") && after.endsWith("\n");
  // A text that was empty has no line, rather than an empty one in common with the other.
  const shown = (text: string) => (text === "" ? [] : linesOf(isEnded ? text.slice(0, -1) : text));
  const beforeLines = shown(before);
  yield;
  const afterLines = shown(after);
  yield;
  return yield* diffLines(beforeLines, afterLines);
}

/**
 * The rows of a diff: each change with a few lines of context. Line numbers refer to the text that a line belongs to. There
 * may be hundreds of thousands of rows, so they are generated lazily.
 */
export function* diffRows(chunks: readonly LineChunk[]): Generator<DiffRow> {
  let [beforeLine, afterLine] = [1, 1];
  for (const [index, { isSame, before, after }] of chunks.entries()) {
    if (isSame) {
      yield* shortened(after, afterLine, { isFirst: index === 0, isLast: index === chunks.length - 1 });
    } else {
      yield* rowsOf("removed", before, beforeLine);
      yield* rowsOf("added", after, afterLine);
    }
    beforeLine += before.length;
    afterLine += after.length;
  }
}

function* rowsOf(kind: "same" | "removed" | "added", lines: readonly string[], from: number): Generator<DiffRow> {
  for (const [offset, text] of lines.entries()) yield { kind, text, line: from + offset };
}

function* shortened(
  lines: readonly string[],
  from: number,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): Generator<DiffRow> {
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
  const hidden = lines.length - head - tail;
  if (hidden <= 1) {
    yield* rowsOf("same", lines, from);
    return;
  }
  yield* rowsOf("same", lines.slice(0, head), from);
  yield { kind: "gap", count: hidden, line: from + head };
  yield* rowsOf("same", lines.slice(head + hidden), from + head + hidden);
}
