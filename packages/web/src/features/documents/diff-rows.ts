import { diffLines, linesOf } from "./line-diff.ts";

/** A line of a comparison as it is shown: kept, taken away or put in, or a gap of lines that are the same. */
export type DiffRow =
  | { readonly kind: "same" | "removed" | "added"; readonly text: string; readonly line: number }
  | { readonly kind: "gap"; readonly count: number; readonly line: number };

const CONTEXT_LINES = 3;

/** The changes between two texts, each with a few lines around it. Lines are numbered in the text that they belong to. */
export function diffRows(before: string, after: string): DiffRow[] {
  // What follows the last line break is a line only where it is not empty in both.
  const isEnded = before.endsWith("\n") && after.endsWith("\n");
  const shown = (text: string) => linesOf(isEnded ? text.slice(0, -1) : text);
  const chunks = diffLines(shown(before), shown(after));
  let [beforeLine, afterLine] = [1, 1];
  return chunks.flatMap((chunk, index): DiffRow[] => {
    const fromBefore = beforeLine;
    const fromAfter = afterLine;
    beforeLine += chunk.before.length;
    afterLine += chunk.after.length;
    if (!chunk.isSame) {
      return [
        ...chunk.before.map((text, offset) => ({ kind: "removed" as const, text, line: fromBefore + offset })),
        ...chunk.after.map((text, offset) => ({ kind: "added" as const, text, line: fromAfter + offset })),
      ];
    }
    return shortened(chunk.after, fromAfter, { isFirst: index === 0, isLast: index === chunks.length - 1 });
  });
}

function shortened(
  lines: readonly string[],
  from: number,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): DiffRow[] {
  const rows = lines.map((text, offset): DiffRow => ({ kind: "same", text, line: from + offset }));
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
  const hidden = rows.length - head - tail;
  if (hidden <= 1) return rows;
  return [
    ...rows.slice(0, head),
    { kind: "gap", count: hidden, line: from + head },
    ...rows.slice(rows.length - tail, rows.length),
  ];
}
