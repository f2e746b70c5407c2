export interface TextQuery {
  readonly words: string;
  readonly isCaseSensitive: boolean;
  readonly isWholeWord: boolean;
}

/** İ becomes two characters in lower case, and what Σ becomes depends on its position. */
const ODD_LETTERS = /[İΣς]/;
const PLAIN_LETTERS: ReadonlyMap<number, number> = new Map(
  ["İi", "Σσ", "ςσ"].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);
const REST_OF_WORD = /(?<=[\p{L}\p{N}_])[\p{L}\p{N}_]+/uy;

export interface TextSearch {
  /** The positions of the matches from a position on. Matches do not overlap. */
  matches(start?: number): Generator<number>;
  /** The first match from a position on, or else the first of all; null if there is none. */
  next(start: number): number | null;
  /** The last match that starts before a position, or else the last of all; null if there is none. */
  previous(end: number): number | null;
}

/** Searches a text in linear time. */
export function searchText(text: string, { words, isCaseSensitive, isWholeWord }: TextQuery): TextSearch {
  const searched = isCaseSensitive ? text : withoutCase(text);
  const wanted = isCaseSensitive ? words : withoutCase(words);

  function* matches(start = 0): Generator<number> {
    if (wanted === "") return;
    for (let at = searched.indexOf(wanted, start); at >= 0;) {
      const end = at + wanted.length;
      // No whole word starts within another.
      const wordEnd = isWholeWord ? endOfWord(text, at) : at;
      const isMatch = wordEnd === at && (!isWholeWord || endOfWord(text, end) === end);
      if (isMatch) yield at;
      at = searched.indexOf(wanted, isMatch ? end : Math.max(wordEnd, at + 1));
    }
  }

  return {
    matches,
    next(start) {
      const [next] = matches(start);
      const [first] = next === undefined ? matches() : [next];
      return first ?? null;
    },
    previous(end) {
      let previous: number | null = null;
      for (const at of matches()) {
        if (at >= end && previous !== null && previous < end) return previous;
        previous = at;
      }
      return previous;
    },
  };
}

/** Converts to lower case without changing the length. */
function withoutCase(text: string): string {
  return withPlainLetters(text).toLowerCase();
}

function withPlainLetters(text: string): string {
  if (!ODD_LETTERS.test(text)) return text;
  const units = new Uint16Array(text.length);
  for (let at = 0; at < units.length; at += 1) {
    const unit = text.charCodeAt(at);
    units[at] = PLAIN_LETTERS.get(unit) ?? unit;
  }
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units);
}

/** The end of the word that a position is within; the position itself if it is within none. */
function endOfWord(text: string, at: number): number {
  REST_OF_WORD.lastIndex = at;
  return REST_OF_WORD.test(text) ? REST_OF_WORD.lastIndex : at;
}
