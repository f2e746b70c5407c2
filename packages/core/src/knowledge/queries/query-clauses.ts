import { TokenReader, tokensOf, type Token } from "../../platform/filter/filter-tokens.ts";

/** A keyword with everything up to the next one. */
export interface Clause {
  readonly keyword: Token;
  readonly reader: TokenReader;
}

const COMMENT = /^\s*(?:\/\/|--)/;
/** A line that begins so goes on with the previous one. */
const CONTINUATION = /^(?:\s|\)|,|(?:and|or)\b)/i;

/**
 * Splits a query into its clauses: each begins a line, or follows the source, and goes on in lines that are indented or begin with
 * `and` or `or`. Throws FilterError.
 */
export function readClauses(text: string): Clause[] {
  const clauses: ClauseTokens[] = [];
  let from = 0;
  for (const line of text.split("\n")) {
    const to = from + line.length;
    const [first, ...others] = COMMENT.test(line) ? [] : tokensOf(text, "prose", from, to);
    const last = clauses.at(-1);
    if (first !== undefined) {
      if (last !== undefined && CONTINUATION.test(line)) last.tokens.push(first, ...others);
      else clauses.push(...splitSource({ keyword: first, tokens: others }));
    }
    from = to + 1;
  }
  return clauses.map(({ keyword, tokens }) => ({
    keyword,
    reader: new TokenReader(text, tokens, (tokens.at(-1) ?? keyword).end),
  }));
}

interface ClauseTokens {
  readonly keyword: Token;
  readonly tokens: Token[];
}

/** `from tasks where due < today` on one line: the source is a single word, so what follows is another clause. */
function splitSource(clause: ClauseTokens): ClauseTokens[] {
  const [source, keyword, ...tokens] = clause.tokens;
  if (clause.keyword.text.toLowerCase() !== "from" || source === undefined || keyword?.kind !== "word") return [clause];
  return [
    { ...clause, tokens: [source] },
    { keyword, tokens },
  ];
}
