/** A run of lines: the same in both texts, or those of one text in the place of those of the other. */
export interface LineChunk {
  readonly isSame: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Beyond so many differences the shortest description of a change is not worth its price. */
const MAX_EDITS = 1_000;

export function linesOf(text: string): string[] {
  return text.split("\n");
}

/** How to come from one list of lines to another: runs that are the same and runs that differ, in turn. */
export function diffLines(before: readonly string[], after: readonly string[]): LineChunk[] {
  const start = countSame(before.length, after.length, (index) => before[index] === after[index]);
  const rest = Math.min(before.length, after.length) - start;
  const end = countSame(rest, rest, (index) => before.at(-1 - index) === after.at(-1 - index));
  const middleBefore = before.slice(start, before.length - end);
  const middleAfter = after.slice(start, after.length - end);
  return mergeChunks([
    sameChunk(before.slice(0, start)),
    ...diffMiddle(middleBefore, middleAfter),
    sameChunk(before.slice(before.length - end)),
  ]);
}

/** How many lines a change adds and takes away. */
export function countChanges(chunks: readonly LineChunk[]): { added: number; removed: number } {
  const changed = chunks.filter(({ isSame }) => !isSame);
  return {
    added: changed.reduce((sum, { after }) => sum + after.length, 0),
    removed: changed.reduce((sum, { before }) => sum + before.length, 0),
  };
}

function countSame(limitA: number, limitB: number, isSameAt: (index: number) => boolean): number {
  const limit = Math.min(limitA, limitB);
  let count = 0;
  while (count < limit && isSameAt(count)) count += 1;
  return count;
}

function diffMiddle(before: readonly string[], after: readonly string[]): LineChunk[] {
  const pairs = before.length === 0 || after.length === 0 ? [] : commonLines(before, after);
  const chunks: LineChunk[] = [];
  let [fromBefore, fromAfter] = [0, 0];
  for (const [atBefore, atAfter] of [...pairs, [before.length, after.length] as const]) {
    chunks.push({
      isSame: false,
      before: before.slice(fromBefore, atBefore),
      after: after.slice(fromAfter, atAfter),
    });
    chunks.push(sameChunk(before.slice(atBefore, atBefore + 1)));
    [fromBefore, fromAfter] = [atBefore + 1, atAfter + 1];
  }
  return chunks;
}

/** The places of lines that stay, by Myers' algorithm; none where the texts have too little in common. */
function commonLines(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const maxEdits = Math.min(before.length + after.length, MAX_EDITS);
  const furthest = new Map<number, number>([[1, 0]]);
  const history: Map<number, number>[] = [];
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    history.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isStepDown(furthest, diagonal, edits) ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return traceBack(history, before.length, after.length);
    }
  }
  return [];
}

function traceBack(history: readonly Map<number, number>[], endX: number, endY: number): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [endX, endY];
  for (let edits = history.length - 1; edits >= 0; edits -= 1) {
    const furthest = history[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const previous = isStepDown(furthest, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const previousX = edits === 0 ? 0 : at(furthest, previous);
    const previousY = edits === 0 ? 0 : previousX - previous;
    while (x > previousX && y > previousY) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    [x, y] = [previousX, previousY];
  }
  return pairs.toReversed();
}

function isStepDown(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && at(furthest, diagonal - 1) < at(furthest, diagonal + 1));
}

function at(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? 0;
}

function sameChunk(lines: readonly string[]): LineChunk {
  return { isSame: true, before: lines, after: lines };
}

/** Leaves out empty runs and joins neighbours of one kind. */
function mergeChunks(chunks: readonly LineChunk[]): LineChunk[] {
  const merged: LineChunk[] = [];
  for (const chunk of chunks) {
    if (chunk.before.length === 0 && chunk.after.length === 0) continue;
    const last = merged.at(-1);
    if (last?.isSame !== chunk.isSame) merged.push(chunk);
    else {
      const before = [...last.before, ...chunk.before];
      merged[merged.length - 1] = {
        isSame: chunk.isSame,
        before,
        after: chunk.isSame ? before : [...last.after, ...chunk.after],
      };
    }
  }
  return merged;
}
