const MAX_INDENTATION = 3;
const MIN_FENCE = 3;
/** No person writes a line with more backticks than this; whatever follows counts as text. */
const MAX_RUNS = 20_000;

/**
 * A Markdown text without its code: fenced blocks, to the end of the text if not closed, and code spans within a line. Runs
 * in linear time.
 */
export function withoutCode(text: string): string {
  const nextBacktick = createFinder(text, "`");
  const nextTildes = createFinder(text, "~~~");
  const kept: string[] = [];
  let keptTo = 0;
  const cut = (from: number, to: number): void => {
    if (from > keptTo) kept.push(text.slice(keptTo, from));
    keptTo = to;
  };
  for (let position = 0; position < text.length;) {
    const mark = Math.min(nextBacktick(position), nextTildes(position));
    if (mark === text.length) break;
    const lineEnd = endOfLine(text, mark);
    const fence = isRepeated(text, mark) ? fenceOf(text, mark, lineEnd) : null;
    if (fence === null) cutCodeSpans(text, mark, lineEnd, cut);
    position = fence === null ? lineEnd : endOfFence(text, lineEnd, fence);
    if (fence !== null) cut(text.lastIndexOf("\n", mark) + 1, position);
  }
  cut(text.length, text.length);
  return kept.join("");
}

function isRepeated(text: string, mark: number): boolean {
  return text[mark] === text[mark + 1] && text[mark] === text[mark + 2];
}

/** The fence opened by a line whose first backtick or tilde is at `mark`; null if the line does not open one. */
function fenceOf(text: string, mark: number, lineEnd: number): Fence | null {
  const lineStart = text.lastIndexOf("\n", mark) + 1;
  return mark - lineStart > MAX_INDENTATION ? null : openingFence(text.slice(lineStart, lineEnd));
}

interface Fence {
  readonly character: string;
  readonly length: number;
}

/** The code fence that a line opens; null if it does not open one. */
export function openingFence(line: string): Fence | null {
  const fence = fenceAt(line, 0, line.length);
  if (fence === null) return null;
  // Otherwise it is a code span.
  const isOpening = fence.character !== "`" || !line.includes("`", fence.end);
  return isOpening ? { character: fence.character, length: fence.end - fence.start } : null;
}

/** Whether a line closes the code block with this opening fence. */
export function isClosingFence(line: string, { character, length }: Fence): boolean {
  const fence = fenceAt(line, 0, line.length);
  if (fence === null || fence.character !== character || fence.end - fence.start < length) return false;
  return line.slice(fence.end).trim() === "";
}

function fenceAt(text: string, lineStart: number, lineEnd: number) {
  let start = lineStart;
  while (start < lineStart + MAX_INDENTATION && text[start] === " ") start += 1;
  const character = text[start];
  if (character !== "`" && character !== "~") return null;
  let end = start + 1;
  while (end < lineEnd && text[end] === character) end += 1;
  return end - start < MIN_FENCE ? null : { character, start, end };
}

/** The end of the code block whose opening line ends at `from`. */
function endOfFence(text: string, from: number, fence: Fence): number {
  for (let lineEnd = from; lineEnd < text.length;) {
    const lineStart = lineEnd + 1;
    lineEnd = endOfLine(text, lineStart);
    if (fenceAt(text, lineStart, lineEnd) === null) continue;
    if (isClosingFence(text.slice(lineStart, lineEnd), fence)) return lineEnd;
  }
  return text.length;
}

/** A code span is enclosed by two backtick strings of equal length. */
function cutCodeSpans(text: string, from: number, to: number, cut: (from: number, to: number) => void): void {
  const second = text.indexOf("`", from + 1);
  if (second === -1 || second >= to) return;
  const starts: number[] = [];
  const lengths: number[] = [];
  for (let start = text.indexOf("`", from); start !== -1 && start < to && starts.length < MAX_RUNS;) {
    let end = start + 1;
    while (end < to && text[end] === "`") end += 1;
    starts.push(start);
    lengths.push(end - start);
    start = end < to ? text.indexOf("`", end) : -1;
  }
  if (starts.length < 2) return;
  const partners = findPartners(lengths);
  for (let index = 0; index < starts.length; index += 1) {
    const partner = partners[index] ?? -1;
    if (partner === -1) continue;
    cut(starts[index] ?? to, (starts[partner] ?? to) + (lengths[partner] ?? 0));
    index = partner;
  }
}

/** For each number, the index of the next equal one; -1 if there is none. */
function findPartners(lengths: readonly number[]): Int32Array {
  const next = new Map<number, number>();
  const partners = new Int32Array(lengths.length).fill(-1);
  for (let index = lengths.length - 1; index >= 0; index -= 1) {
    const length = lengths[index] ?? 0;
    partners[index] = next.get(length) ?? -1;
    next.set(length, index);
  }
  return partners;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** Returns a search for a word from positions that must never decrease, which scans no part of the text twice. */
function createFinder(text: string, word: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      found = text.indexOf(word, from);
      if (found === -1) found = text.length;
    }
    return found;
  };
}
