import { decodeEscapes } from "./ansi-quote.ts";
import { type StringLiterals, readStringLiterals } from "./string-literals.ts";

/** A piece of a line of Python, JavaScript, Perl, Ruby or PHP. */
export interface CodeToken {
  readonly kind: "name" | "string" | "mark";
  /** A name without its sigil, the content of a literal, or punctuation; `\n` is punctuation, too. */
  readonly text: string;
  /** Where code is inserted into a literal: what stands before `{`; undefined if nowhere. */
  readonly inserts?: "" | "$" | "#" | undefined;
  /** Whether a name has a sigil: `$path`, `@files`. */
  readonly isVariable?: boolean;
}

const NAME = /[$@%&]?[A-Za-z_]\w*|\$_/y;
const BLANK = /[ \t\r]+|#(?!\{)[^\n]*|\/\/[^\n]*/y;
const MARK = /===?|!==?|=>|=~|->|::|\?\.|[-+*/.<>|&]=|\*\*|\d[\w.]*|[^]/y;
/** Perl's `<*.txt>`, which lists files. */
const LISTED = /<([~\w./-]*\*[\w./*-]*)>/y;

/** Splits code into tokens in linear time. Comments are left out. */
export function readCodeTokens(code: string, literals: StringLiterals = readStringLiterals(code)): CodeToken[] {
  const tokens: CodeToken[] = [];
  const match = (pattern: RegExp, at: number): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(code)?.[0];
  };
  for (let at = 0; at < code.length;) {
    const blank = match(BLANK, at);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const literal = /["'`rbufRBUF]/.test(code.charAt(at)) ? literals.at(at) : null;
    if (literal !== null) {
      const prefix = code.slice(at, literal.end - literal.text.length);
      tokens.push({ kind: "string", text: unquote(literal.text), inserts: insertsOf(literal.text, prefix) });
      at = literal.end;
      continue;
    }
    const name = match(NAME, at);
    const listed = name === undefined ? match(LISTED, at) : undefined;
    const mark = name ?? listed ?? match(MARK, at) ?? "";
    if (name !== undefined) {
      const text = name.replace(/^[$@%&]/, "");
      tokens.push({ kind: "name", text, isVariable: text !== name });
    } else if (listed === undefined) tokens.push({ kind: "mark", text: mark });
    else tokens.push({ kind: "string", text: listed.slice(1, -1) });
    at += mark.length || 1;
  }
  return tokens;
}

function insertsOf(literal: string, prefix: string): CodeToken["inserts"] {
  if (literal.startsWith("`")) return "$";
  if (prefix.includes("f")) return "";
  return literal.startsWith('"') ? "#" : undefined;
}

/** The content of a literal. */
export function unquote(literal: string): string {
  const width = /^(?:"""|''')/.test(literal) ? 3 : 1;
  return decodeEscapes(literal.slice(width, literal.length - width));
}
