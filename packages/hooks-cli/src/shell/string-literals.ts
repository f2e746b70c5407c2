const QUOTES = ["'", '"', "`"] as const;
const TRIPLES = ["'''", '"""'] as const;
/** No position in the text. */
const NONE = -1;

/** A string literal in a line of Python, JavaScript, Perl and so on, including its quotation marks. */
export interface Literal {
  readonly text: string;
  readonly end: number;
}

/** The string literals of a text, starting from any position where a literal could begin. Found in linear time. */
export interface StringLiterals {
  /** The literal at a position, with up to two letters before it as in `rb"…"`. */
  at(place: number): Literal | null;
  /** All literals from left to right; none within another. */
  all(): Literal[];
  /** The next position, from this one on, that is not white space. */
  skipSpace(place: number): number;
  /**
   * Where a row of literals that starts at a position ends, with or without commas between them; the position itself if
   * there is none.
   */
  endOfRow(place: number): number;
  row(place: number): Literal[];
}

export function readStringLiterals(code: string): StringLiterals {
  // Reading from the end, each position is decided by a later one, so an unclosed mark is not searched for again.
  const closings = new Map(QUOTES.map((quote) => [quote, closingsOf(code, quote)]));
  const triples = new Map(TRIPLES.map((triple) => [triple, placesOf(code, (at) => code.startsWith(triple, at))]));
  const words = placesOf(code, (at) => /\S/.test(code.charAt(at)));
  const rowEnds = new Int32Array(code.length + 1).fill(NONE);

  function endOf(start: number): number {
    const triple = TRIPLES.find((mark) => code.startsWith(mark, start));
    const tripleEnd = triple === undefined ? NONE : (triples.get(triple)?.[start + 3] ?? NONE);
    if (tripleEnd !== NONE) return tripleEnd + 3;
    const quote = QUOTES.find((mark) => mark === code[start]);
    const close = quote === undefined ? NONE : (closings.get(quote)?.[start + 1] ?? NONE);
    return close === NONE ? NONE : close + 1;
  }

  function at(place: number): Literal | null {
    for (let start = place; start <= place + 2; start += 1) {
      const end = endOf(start);
      if (end !== NONE) return { text: code.slice(start, end), end };
      if (!"rbuf".includes(code.charAt(start) || " ")) return null;
    }
    return null;
  }

  function skipSpace(place: number): number {
    const word = words[place] ?? NONE;
    return word === NONE ? code.length : word;
  }

  function afterItem({ end }: Literal): number {
    const next = skipSpace(end);
    return code[next] === "," ? skipSpace(next + 1) : next;
  }

  return {
    at,
    skipSpace,
    all() {
      const literals: Literal[] = [];
      for (let place = 0; place < code.length;) {
        const end = endOf(place);
        if (end !== NONE) literals.push({ text: code.slice(place, end), end });
        place = end === NONE ? place + 1 : end;
      }
      return literals;
    },
    endOfRow(place) {
      const passed: number[] = [];
      let end = place;
      while (rowEnds[end] === NONE) {
        passed.push(end);
        const item = at(end);
        if (item === null) break;
        end = afterItem(item);
      }
      const known = rowEnds[end] ?? NONE;
      for (const one of passed) rowEnds[one] = known === NONE ? end : known;
      return rowEnds[place] ?? place;
    },
    row(place) {
      const items: Literal[] = [];
      for (let item = at(place); item !== null; item = at(afterItem(item))) items.push(item);
      return items;
    },
  };
}

/** By position: where a literal opened before it would be closed. */
function closingsOf(code: string, quote: string): Int32Array {
  const places = new Int32Array(code.length + 2).fill(NONE);
  for (let at = code.length - 1; at >= 0; at -= 1) {
    const character = code[at];
    places[at] = character === quote ? at : (places[at + (character === "\\" ? 2 : 1)] ?? NONE);
  }
  return places;
}

/** By position: the next position that satisfies the condition. */
function placesOf(code: string, matches: (at: number) => boolean): Int32Array {
  const places = new Int32Array(code.length + 1).fill(NONE);
  for (let at = code.length - 1; at >= 0; at -= 1) places[at] = matches(at) ? at : (places[at + 1] ?? NONE);
  return places;
}
