const NEWLINE = 10;
const SPACE = 32;
const COMMA = 44;
const QUOTE = 34;
const SEMICOLON = 59;
const NO_BREAK_SPACE = 0xa0;
const BYTE_ORDER_MARK = 0xfeff;

/** What may stand before cited lines, and after them, where a formatter has joined them with others. */
const JOINS_BEFORE = new Set(Array.from("([{})],>=:", (character) => character.charCodeAt(0)));
const JOINS_AFTER = new Set(Array.from(")]},{", (character) => character.charCodeAt(0)));
/** At the end of a line these say that it goes on. */
const CONTINUES = new Set(Array.from("([{,<>=&|?:+", (character) => character.charCodeAt(0)));

/** So many are enough to tell whether lines that occur repeatedly have become fewer. */
const MAX_FOUND = 100;

/** The bases of the two hashes that make a fingerprint. */
const ONE = 0x01000193;
const OTHER = 0x9e3779b1;

/** A range of significant characters; the end is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** By which lines are found again. */
export interface Fingerprint {
  readonly length: number;
  /** How often such lines occurred in their file. */
  readonly count: number;
  /** Whether it is not known which of them are meant: a quote of what occurs repeatedly rests on all of them. */
  readonly isAmbiguous: boolean;
  readonly hash: string;
}

/**
 * A text without what a formatter changes: spacing, line breaks, semicolons, the kind of quotes, and commas before a closing
 * bracket. So lines are the same if they were moved, indented or formatted.
 */
export class SourceText {
  readonly #codes: Uint16Array;
  /** The line of each character. */
  readonly #lines: Uint32Array;
  readonly length: number;

  /** `firstLine`: the number of the first line, where the text is a part of a file. */
  constructor(text: string, firstLine = 1) {
    const codes = new Uint16Array(text.length);
    const lines = new Uint32Array(text.length);
    let length = 0;
    let line = firstLine;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === NEWLINE) line += 1;
      if (code <= SPACE || code === SEMICOLON || code === NO_BREAK_SPACE || code === BYTE_ORDER_MARK) continue;
      if (isClosing(code) && length > 0 && codes[length - 1] === COMMA) length -= 1;
      codes[length] = isQuote(code) ? QUOTE : code;
      lines[length] = line;
      length += 1;
    }
    this.#codes = codes;
    this.#lines = lines;
    this.length = length;
  }

  lineOf(position: number): number {
    return this.#lines[position] ?? 0;
  }

  /** The whole text, or that of some lines, without commas at its ends. */
  span(startLine = 0, endLine = Number.MAX_SAFE_INTEGER): Span {
    let from = 0;
    while (from < this.length && this.lineOf(from) < startLine) from += 1;
    let to = from;
    while (to < this.length && this.lineOf(to) <= endLine) to += 1;
    while (from < to && this.#codes[from] === COMMA) from += 1;
    while (to > from && this.#codes[to - 1] === COMMA) to -= 1;
    return { from, to };
  }

  hash({ from, to }: Span): string {
    let [one, other] = [0, 0];
    for (let index = from; index < to; index += 1) {
      one = Math.imul(one, ONE) + this.#code(index);
      other = Math.imul(other, OTHER) + this.#code(index);
    }
    return toHex(one) + toHex(other);
  }

  /** Where text with a hash is; `isWhole`: only where it is lines of its own, neither a part of others nor commented out. */
  find({ length, hash }: Pick<Fingerprint, "length" | "hash">, isWhole = true): Span[] {
    const found: Span[] = [];
    if (length === 0 || length > this.length) return found;
    const wanted = Number.parseInt(hash.slice(0, 8), 16) | 0;
    let leading = 1;
    for (let power = 0; power < length; power += 1) leading = Math.imul(leading, ONE);
    let rolling = 0;
    for (let to = 1; to <= this.length && found.length < MAX_FOUND; to += 1) {
      rolling = (Math.imul(rolling, ONE) + this.#code(to - 1)) | 0;
      const from = to - length;
      if (from > 0) rolling = (rolling - Math.imul(this.#code(from - 1), leading)) | 0;
      if (from < 0 || rolling !== wanted) continue;
      const span = { from, to };
      if ((!isWhole || this.isWhole(span)) && this.hash(span) === hash) found.push(span);
    }
    return found;
  }

  /** Whether a span consists of lines, or of what a formatter may have made of lines. */
  isWhole({ from, to }: Span): boolean {
    const startsLine = from === 0 || this.lineOf(from - 1) !== this.lineOf(from);
    const endsLine = to === this.length || this.lineOf(to) !== this.lineOf(to - 1);
    return (
      (startsLine || JOINS_BEFORE.has(this.#code(from - 1))) &&
      (endsLine || this.#code(to) === COMMA || JOINS_AFTER.has(this.#code(to)) || CONTINUES.has(this.#code(to - 1)))
    );
  }

  #code(index: number): number {
    return this.#codes[index] ?? 0;
  }
}

function isClosing(code: number): boolean {
  return code === 41 || code === 93 || code === 125;
}

/** Formatters change one kind of quotes to another. */
function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

function toHex(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, "0");
}
