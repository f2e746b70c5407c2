import { FilterError } from "./filter.ts";

/** A piece of a text. `text` is without quotes or `#`; `at` and `end` count in the whole text. */
export interface Token {
  readonly kind: "word" | "text" | "tag" | "operator" | "minus" | "end";
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/**
 * How a text is written. Terse, as one types it into a field: `status:todo garden -tag:waiting`; words that are not compared are
 * looked for. As prose, as in notes: `author = Ursula Le Guin and rating`; words after an operator belong together, and a name
 * alone asks whether there is such a value.
 */
export type FilterStyle = "terse" | "prose";

const SPACES = /\s+/y;
const OPERATOR = /<=|>=|!=|==|[(),:=<>]/y;
const WORD = /[^\s(),:=<>!"]+|!/y;
const TAG = /#[^\s"'“”„#,()=!<>+]+/y;
/** At the beginning of a word it negates; within one, and after an operator, it is part of it. */
const MINUS = /-(?=[("a-z#])/iy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "„": "“" };

/** Splits a part of a text into tokens. Throws {@link FilterError}. */
export function tokensOf(text: string, style: FilterStyle, from = 0, to = text.length): Token[] {
  const tokens: Token[] = [];
  for (let at = from; at < to;) {
    const spaces = matchAt(SPACES, text, at);
    if (spaces !== null) {
      at += spaces.length;
      continue;
    }
    const last = tokens.at(-1);
    const isValue = last?.kind === "operator" && last.text !== "(" && last.text !== ")";
    const token = quotedAt(text, style, at, to) ?? plainAt(text, { style, at, isValue });
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function quotedAt(text: string, style: FilterStyle, at: number, to: number): Token | null {
  const opening = text.charAt(at);
  if (style === "terse") {
    if (opening !== '"') return null;
    QUOTED.lastIndex = at;
    const [all, inner = ""] = QUOTED.exec(text) ?? [];
    if (all === undefined) throw notClosed(opening, at);
    return { kind: "text", text: inner.replaceAll(/\\(.)/g, "$1"), at, end: at + all.length };
  }
  const closing = QUOTES[opening];
  if (closing === undefined) return null;
  const end = text.indexOf(closing, at + 1);
  if (end < 0 || end >= to) throw notClosed(closing, at);
  return { kind: "text", text: text.slice(at + 1, end), at, end: end + 1 };
}

function notClosed(closing: string, at: number): FilterError {
  return new FilterError("a quotation mark is not closed", at, `write ${closing} after the text`);
}

interface Place {
  readonly style: FilterStyle;
  readonly at: number;
  /** Whether it is compared. */
  readonly isValue: boolean;
}

function plainAt(text: string, { style, at, isValue }: Place): Token {
  const isTerseValue = style === "terse" && isValue;
  const tag = isTerseValue ? null : matchAt(TAG, text, at);
  if (tag !== null) return { kind: "tag", text: tag.slice(1), at, end: at + tag.length };
  if (style === "terse" && matchAt(MINUS, text, at) !== null) {
    if (isValue) throw new FilterError("a value that begins with a minus needs quotation marks", at);
    return { kind: "minus", text: "-", at, end: at + 1 };
  }
  const operator = matchAt(OPERATOR, text, at);
  if (operator !== null) return { kind: "operator", text: operator, at, end: at + operator.length };
  const word = matchAt(WORD, text, at);
  if (word === null) throw new FilterError(`“${text.charAt(at)}” is not expected here`, at);
  return { kind: "word", text: word, at, end: at + word.length };
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** Reads tokens one after the other. */
export class TokenReader {
  readonly source: string;
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #index = 0;

  constructor(source: string, tokens: readonly Token[], end = tokens.at(-1)?.end ?? 0) {
    this.source = source;
    this.#tokens = tokens;
    this.#end = { kind: "end", text: "", at: end, end };
  }

  /** The token that many after the next one. */
  peek(ahead = 0): Token {
    return this.#tokens[this.#index + ahead] ?? this.#end;
  }

  next(): Token {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  /** Takes the next tokens if they are these words or operators, whatever their case. */
  take(...texts: readonly string[]): boolean {
    if (!texts.every((text, ahead) => this.isNext(text, ahead))) return false;
    this.#index += texts.length;
    return true;
  }

  isNext(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === "word" || token.kind === "operator") && token.text.toLowerCase() === text;
  }

  /** Goes on with the first token that begins at a place or after it. */
  skipTo(place: number): void {
    while (this.peek().kind !== "end" && this.peek().at < place) this.#index += 1;
  }

  /** Takes the items of a list that are separated by commas. */
  list<Item>(read: () => Item): Item[] {
    const items = [read()];
    while (this.take(",")) items.push(read());
    return items;
  }

  expectEnd(): void {
    const token = this.peek();
    if (token.kind === "end") return;
    const isParenthesis = token.kind === "operator" && token.text === ")";
    const reason = isParenthesis
      ? "a parenthesis is closed that was not opened"
      : `“${this.source.slice(token.at, token.end)}” is not expected here`;
    throw new FilterError(reason, token.at);
  }
}
