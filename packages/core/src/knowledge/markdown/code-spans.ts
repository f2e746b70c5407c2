/** No person writes a line with more backticks than this; whatever follows counts as text. */
const MAX_RUNS = 20_000;

const NONE: ReadonlyMap<number, number> = new Map();

/**
 * The code spans of a line: the end of each by its start. A span is enclosed by two backtick strings of equal length. Runs in
 * linear time.
 */
export function codeSpans(text: string, from: number, to: number): ReadonlyMap<number, number> {
  const starts: number[] = [];
  const lengths: number[] = [];
  for (let start = text.indexOf("`", from); start !== -1 && start < to && starts.length < MAX_RUNS;) {
    let end = start + 1;
    while (end < to && text[end] === "`") end += 1;
    starts.push(start);
    lengths.push(end - start);
    start = end < to ? text.indexOf("`", end) : -1;
  }
  if (starts.length < 2) return NONE;
  const spans = new Map<number, number>();
  const partners = findPartners(lengths);
  for (let index = 0; index < starts.length; index += 1) {
    const partner = partners[index] ?? -1;
    if (partner === -1) continue;
    spans.set(starts[index] ?? to, (starts[partner] ?? to) + (lengths[partner] ?? 0));
    index = partner;
  }
  return spans;
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
