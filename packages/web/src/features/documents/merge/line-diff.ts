import type { Pausable } from "../../../browser/compute-in-slices.ts";

/** A run of lines: the same in both texts, or lines of one text that replace lines of the other. */
export interface LineChunk {
  readonly isSame: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** With more edits than this, the shortest edit script is not worth its cost. */
const MAX_EDITS = 1_000;
/** With more lines than this between the first and last change, comparing them is not worth its cost either. */
const MAX_COMPARED_LINES = 100_000;

/** A run of `length` unchanged lines that starts at these indices. */
interface Run {
  readonly before: number;
  readonly after: number;
  readonly length: number;
}

export function linesOf(text: string): string[] {
  return text.split("\n");
}

/** Compares two lists of lines: returns runs that are the same and runs that differ, alternating. */
export function* diffLines(before: readonly string[], after: readonly string[]): Pausable<LineChunk[]> {
  const chunks: LineChunk[] = [];
  let [fromBefore, fromAfter] = [0, 0];
  const add = (chunk: LineChunk) => {
    if (chunk.before.length > 0 || chunk.after.length > 0) chunks.push(chunk);
  };
  for (const run of yield* commonRuns(before, after)) {
    add({ isSame: false, before: before.slice(fromBefore, run.before), after: after.slice(fromAfter, run.after) });
    [fromBefore, fromAfter] = [run.before + run.length, run.after + run.length];
    const same = before.slice(run.before, fromBefore);
    add({ isSame: true, before: same, after: same });
  }
  add({ isSame: false, before: before.slice(fromBefore), after: after.slice(fromAfter) });
  return chunks;
}

/** Numbers each line, equal lines alike, so that long lines are compared only once. */
function numberLines(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  return [Int32Array.from(before, numberOf), Int32Array.from(after, numberOf)];
}

/** The runs of unchanged lines, in order and not adjacent. */
function* commonRuns(before: readonly string[], after: readonly string[]): Pausable<Run[]> {
  const limit = Math.min(before.length, after.length);
  let start = 0;
  while (start < limit && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < limit - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  yield;
  const isCompared = before.length + after.length - 2 * (start + end) <= MAX_COMPARED_LINES;
  const middle = isCompared
    ? yield* commonLines(
        ...numberLines(before.slice(start, before.length - end), after.slice(start, after.length - end)),
      )
    : [];
  return joined([
    { before: 0, after: 0, length: start },
    ...middle.map((run) => ({ ...run, before: run.before + start, after: run.after + start })),
    { before: before.length - end, after: after.length - end, length: end },
  ]);
}

function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (run.length === 0) continue;
    if (last !== undefined && last.before + last.length === run.before && last.after + last.length === run.after) {
      all[all.length - 1] = { ...last, length: last.length + run.length };
    } else {
      all.push(run);
    }
  }
  return all;
}

/** The furthest point reached on each diagonal with a given number of edits, as in Myers' algorithm. */
type Furthest = Int32Array;

/** The runs of unchanged lines, by Myers' algorithm; none if the texts have too little in common. */
function* commonLines(before: Int32Array, after: Int32Array): Pausable<Run[]> {
  if (before.length === 0 || after.length === 0) return [];
  yield;
  const maxEdits = Math.min(before.length + after.length, MAX_EDITS);
  const history: Furthest[] = [];
  let furthest: Furthest = new Int32Array(3);
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    history.push(furthest);
    const next = new Int32Array(2 * edits + 5);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = isStepDown(furthest, diagonal, edits);
      let x = isDown ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next[diagonal + edits + 2] = x;
      if (x >= before.length && x - diagonal >= after.length) return traceBack(history, before.length, after.length);
    }
    furthest = next;
    yield;
  }
  return [];
}

function traceBack(history: readonly Furthest[], endX: number, endY: number): Run[] {
  const runs: Run[] = [];
  let [x, y] = [endX, endY];
  for (let edits = history.length - 1; edits >= 0; edits -= 1) {
    const furthest = history[edits] ?? new Int32Array(3);
    const diagonal = x - y;
    const previous = isStepDown(furthest, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const previousX = edits === 0 ? 0 : at(furthest, previous);
    const previousY = edits === 0 ? 0 : previousX - previous;
    const length = Math.max(Math.min(x - previousX, y - previousY), 0);
    runs.push({ before: x - length, after: y - length, length });
    [x, y] = [previousX, previousY];
  }
  return runs.toReversed();
}

function isStepDown(furthest: Furthest, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && at(furthest, diagonal - 1) < at(furthest, diagonal + 1));
}

/** The middle of the array is the diagonal on which both texts begin. */
function at(furthest: Furthest, diagonal: number): number {
  return furthest[diagonal + (furthest.length - 1) / 2] ?? 0;
}
