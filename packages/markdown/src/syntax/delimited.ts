/** What a search for a mark finds at a place, other than how far it goes on. */
const [CLOSING, PARAGRAPH_END] = [0, -1] as const;

/**
 * The index of the mark that closes a range opened before `from`: not after a space, not escaped, and in the same paragraph;
 * -1 if there is none within `max` characters.
 */
export type FindClosing = (mark: string, from: number, max: number) => number;

/** {@link FindClosing} in a text, for a single range. */
export function findClosing(source: string, mark: string, from: number, max: number): number {
  const end = Math.min(source.length, from + max);
  for (let at = from + firstStep(source, mark, from); at < end;) {
    const step = stepAt(source, mark, at);
    if (step === CLOSING) return at;
    if (step === PARAGRAPH_END) return -1;
    at += step;
  }
  return -1;
}

/** {@link FindClosing} in a text, for many ranges: however many there are, it is read once for each kind of mark. */
export function createClosingSearch(source: string): FindClosing {
  const known = new Map<string, Int32Array>();
  return (mark, from, max) => {
    const closings = known.get(mark) ?? closingsOf(source, mark);
    known.set(mark, closings);
    const closing = closings[from + firstStep(source, mark, from)] ?? -1;
    return closing < from + max ? closing : -1;
  };
}

/** The index at which a search from each place of a text ends; -1 if there is none. */
function closingsOf(source: string, mark: string): Int32Array {
  const closings = new Int32Array(source.length + 2).fill(-1);
  for (let at = source.length - 1; at >= 0; at -= 1) {
    const step = stepAt(source, mark, at);
    if (step !== PARAGRAPH_END) closings[at] = step === CLOSING ? at : (closings[at + step] ?? -1);
  }
  return closings;
}

/** A range is not empty. */
function firstStep(source: string, mark: string, from: number): number {
  return source.startsWith(mark, from) ? 1 : 0;
}

function stepAt(source: string, mark: string, at: number): number {
  const character = source[at];
  if (character === "\\") return 2;
  if (character === "\n" && source[at + 1] === "\n") return PARAGRAPH_END;
  if (character !== mark[0] || !source.startsWith(mark, at)) return 1;
  if (mark.length === 1 && source[at + 1] === mark) return 2;
  return isSpace(source[at - 1]) ? mark.length : CLOSING;
}

export function isSpace(character: string | undefined): boolean {
  return character === undefined || character === " " || character === "\n" || character === "\t";
}
