import type { Line, Text } from "@codemirror/state";

/** Browsers lay out a line in one go, so the middle of a longer line is left out. */
const MAX_LINE = 5_000;
/** If more of a line than this is shown, parts that were revealed earlier are left out again. */
const MAX_SHOWN = 6_000;
/** How much of a long line is shown at either end. */
const END = 1_000;
/** Fewer characters are not worth leaving out. */
const MIN_OMITTED = 500;

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The long lines that a range overlaps or touches. */
export function* longLines(doc: Text, { from, to }: Range): Generator<Line> {
  // Positions so far apart miss no long line, and half a megabyte has only a hundred of them.
  for (let position = from; ; position = Math.min(position + MAX_LINE, to)) {
    const line = doc.lineAt(position);
    if (isLong(line)) yield line;
    position = line.to;
    if (position >= to) return;
  }
}

export function isLong(line: Line): boolean {
  return line.length > MAX_LINE;
}

/** What is left out of a long line if these parts of it are shown besides its ends. */
export function omittedRanges(line: Line, shown: readonly Range[]): Range[] {
  const ends = [
    { from: line.from, to: line.from + END },
    { from: line.to - END, to: line.to },
  ];
  return subtract({ from: line.from, to: line.to }, [...ends, ...shown], line);
}

/** What remains left out of a line when another part is shown; undefined if too much of the line would be shown. */
export function reveal(line: Line, omitted: readonly Range[], part: Range): Range[] | undefined {
  const rest = omitted.flatMap((range) => subtract(range, [part], line));
  return isTooMuchShown(line, rest) ? undefined : rest;
}

export function isTooMuchShown(line: Line, omitted: readonly Range[]): boolean {
  const omittedLength = omitted.reduce((sum, { from, to }) => sum + to - from, 0);
  return line.length - omittedLength > MAX_SHOWN;
}

/** Merges ranges that touch. */
export function mergeAdjacent(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && last.to === range.from) merged[merged.length - 1] = { from: last.from, to: range.to };
    else merged.push(range);
  }
  return merged;
}

/** What lies between the parts, if it is worth leaving out. */
function subtract({ from, to }: Range, parts: readonly Range[], line: Line): Range[] {
  const ranges: Range[] = [];
  let position = from;
  for (const part of [...parts.toSorted((one, other) => one.from - other.from), { from: to, to }]) {
    const end = Math.min(part.from, to);
    // Surrogate pairs are not split.
    const range = {
      from: isWithinPair(line, position) ? position + 1 : position,
      to: isWithinPair(line, end) ? end - 1 : end,
    };
    if (range.to - range.from >= MIN_OMITTED) ranges.push(range);
    position = Math.max(position, part.to);
  }
  return ranges;
}

function isWithinPair({ text, from }: Line, position: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(position - from));
}
