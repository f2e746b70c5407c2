/** A piece of a line of a query. `text` is without quotes or `#`. */
export interface Token {
  readonly kind: "word" | "text" | "tag" | "operator" | "end";
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Why a query cannot be read, and what to write instead. */
export interface QueryProblem {
  readonly message: string;
  readonly hint: string | null;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Thrown while a query is read. */
export class QueryError extends Error {
  readonly problem: QueryProblem;

  constructor(at: Pick<Token, "line" | "column">, message: string, hint: string | null = null) {
    super(message);
    this.problem = { message, hint, line: at.line, column: at.column };
  }
}

/** A keyword with everything up to the next one; the last token is of the kind `end`. */
export interface Clause {
  readonly keyword: Token;
  readonly tokens: readonly Token[];
}

/** Not letters of a word. A minus belongs to a word, as in a date or a name; `- 2` with a space is an operator. */
const WORD = /[^\s"'“”„#,()=!<>+:]+/y;
const OPERATOR = /(?:<=|>=|!=|==|[=<>+:,()]|-(?=\s))/y;
const SPACES = /[^\S\n]+/y;
const TAG = /#[^\s"'“”„#,()=!<>+]+/y;
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "„": "“" };
const COMMENT = /^\s*(?:\/\/|--)/;
/** A line that begins so goes on with the previous one. */
const CONTINUATION = /^(?:\s|\)|,|(?:and|or)\b)/i;

/** Splits a query into its clauses: each begins a line, and goes on in lines that are indented or begin with `and` or `or`. */
export function readClauses(text: string): Clause[] {
  const clauses: { keyword: Token; tokens: Token[] }[] = [];
  for (const [index, source] of text.split("\n").entries()) {
    if (source.trim() === "" || COMMENT.test(source)) continue;
    const tokens = readLine(source, index + 1);
    const [first] = tokens;
    if (first === undefined) continue;
    const last = clauses.at(-1);
    if (last !== undefined && CONTINUATION.test(source)) last.tokens.push(...tokens);
    else clauses.push({ keyword: first, tokens: tokens.slice(1) });
  }
  return clauses.map(({ keyword, tokens }) => {
    const last = tokens.at(-1) ?? keyword;
    const end: Token = { kind: "end", text: "", line: last.line, column: last.column + last.text.length };
    return { keyword, tokens: [...tokens, end] };
  });
}

function readLine(source: string, line: number): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    const place = { line, column: at + 1 };
    const spaces = matchAt(SPACES, source, at);
    if (spaces !== null) {
      at += spaces.length;
      continue;
    }
    const closing = QUOTES[source.charAt(at)];
    if (closing !== undefined) {
      const end = source.indexOf(closing, at + 1);
      if (end < 0) throw new QueryError(place, "The quotation mark is not closed.", `Write ${closing} after the text.`);
      tokens.push({ kind: "text", text: source.slice(at + 1, end), ...place });
      at = end + 1;
      continue;
    }
    const tag = matchAt(TAG, source, at);
    if (tag !== null) {
      tokens.push({ kind: "tag", text: tag.slice(1), ...place });
      at += tag.length;
      continue;
    }
    const operator = matchAt(OPERATOR, source, at);
    const word = operator ?? matchAt(WORD, source, at);
    if (word === null) {
      const hint = "Write texts with such characters in quotation marks.";
      throw new QueryError(place, `“${source.charAt(at)}” is not expected here.`, hint);
    }
    tokens.push({ kind: operator === null ? "word" : "operator", text: word, ...place });
    at += word.length;
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** Reads the tokens of a clause one after the other. */
export class TokenReader {
  private index = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  /** The token that many after the next one. */
  peek(ahead = 0): Token {
    const token = this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)];
    if (token === undefined) throw new Error("A clause ends with a token of the kind end.");
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.index += 1;
    return token;
  }

  /** Takes the next tokens if they are these words or operators, whatever their case. */
  take(...texts: readonly string[]): boolean {
    if (!texts.every((text, ahead) => isPlain(this.peek(ahead), text))) return false;
    this.index += texts.length;
    return true;
  }

  get isAtEnd(): boolean {
    return this.peek().kind === "end";
  }

  /** Takes the items of a list that are separated by commas. */
  list<Item>(read: () => Item): Item[] {
    const items = [read()];
    while (this.take(",")) items.push(read());
    return items;
  }

  expectEnd(): void {
    const token = this.peek();
    if (token.kind !== "end") throw new QueryError(token, `“${token.text}” is not expected here.`);
  }
}

function isPlain({ kind, text }: Token, expected: string): boolean {
  return (kind === "word" || kind === "operator") && text.toLowerCase() === expected;
}
