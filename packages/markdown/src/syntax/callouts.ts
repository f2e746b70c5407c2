import type { Token, TokenizerAndRendererExtension } from "marked";
import { blocksOf } from "./blocks.ts";

/** How a callout looks; the words of Obsidian and GitHub for it are in {@link KINDS}. */
export type CalloutKind = "info" | "accent" | "success" | "warning" | "danger" | "quote";

const KINDS: Readonly<Record<CalloutKind, string>> = {
  info: "note info todo abstract summary tldr",
  accent: "important example",
  success: "tip hint success check done",
  warning: "warning attention question help faq",
  danger: "caution danger error bug failure fail missing",
  quote: "quote cite",
};
const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);
/** The first line of a callout, without the mark of its quote. */
const HEADER = /^\[!([a-z][a-z0-9_-]{0,40})\]([+-]?)(?:[ \t]([^\n]*))?$/i;
const QUOTED = /^ {0,3}>[ \t]?/;
/** A callout in more than this many others is a quote. */
const MAX_DEPTH = 8;

/** The first line of a callout: its kind, its fold and its title. */
export interface CalloutHeader {
  readonly kind: CalloutKind;
  /** Whether it can be folded, and is at first. */
  readonly fold: "none" | "open" | "closed";
  /** The title as written; empty if the word of its kind is the title. */
  readonly title: string;
  /** The word of its kind, capitalised. */
  readonly label: string;
}

/** Reads what follows `>` in the first line of a quote; null if this is no callout. */
export function readCalloutHeader(line: string): CalloutHeader | null {
  const [, word, mark, title = ""] = HEADER.exec(line.trimEnd()) ?? [];
  if (word === undefined) return null;
  const known = KIND_OF.get(word.toLowerCase());
  const kind = isKind(known) ? known : "info";
  const fold = mark === "-" ? "closed" : mark === "+" ? "open" : "none";
  return { kind, fold, title: title.trim(), label: word.charAt(0).toUpperCase() + word.slice(1).toLowerCase() };
}

function isKind(word: string | undefined): word is CalloutKind {
  return word !== undefined && word in KINDS;
}

export interface CalloutToken {
  readonly type: "callout";
  readonly raw: string;
  readonly header: CalloutHeader;
  readonly titleTokens: Token[];
  readonly tokens: Token[];
}

export function isCallout(token: Token): token is Token & CalloutToken {
  return token.type === "callout";
}

/** In how many callouts the text is that a lexer is reading. */
const depths = new WeakMap<object, number>();

/** Quotes that begin with `[!note]`, with a title and perhaps folded. */
export const callouts: TokenizerAndRendererExtension = {
  name: "callout",
  level: "block",
  childTokens: ["titleTokens", "tokens"],
  tokenizer(source) {
    const mark = QUOTED.exec(source)?.[0].length;
    const depth = depths.get(this.lexer) ?? 0;
    if (mark === undefined || source[mark] !== "[" || depth >= MAX_DEPTH) return undefined;
    const end = endOfLine(source, 0);
    const header = readCalloutHeader(source.slice(mark, end));
    if (header === null) return undefined;
    const { raw, body } = readQuote(source, end);
    const titleTokens = this.lexer.inline(header.title === "" ? header.label : header.title, []);
    depths.set(this.lexer, depth + 1);
    const tokens = blocksOf(this.lexer, body);
    depths.set(this.lexer, depth);
    return { type: "callout", raw, header, titleTokens, tokens };
  },
  renderer(token) {
    if (!isCallout(token)) return "";
    const { opening, closing } = calloutFrame(token.header, this.parser.parseInline(token.titleTokens));
    return `${opening}${this.parser.parse(token.tokens)}${closing}\n`;
  },
};

/** The HTML around the content of a callout. */
export function calloutFrame({ kind, fold }: CalloutHeader, titleHtml: string): { opening: string; closing: string } {
  if (fold === "none") {
    return {
      opening: `<aside data-callout="${kind}"><p data-callout="title">${titleHtml}</p>\n`,
      closing: "</aside>",
    };
  }
  const open = fold === "open" ? " open" : "";
  return {
    opening: `<details data-callout="${kind}"${open}><summary data-callout="title">${titleHtml}</summary>\n`,
    closing: "</details>",
  };
}

/** The lines of a quote after its first one, which ends at `end`, and their text without the marks. */
function readQuote(source: string, end: number): { raw: string; body: string } {
  const lines: string[] = [];
  let at = end;
  while (at < source.length) {
    const lineEnd = endOfLine(source, at + 1);
    const line = source.slice(at + 1, lineEnd);
    const mark = QUOTED.exec(line)?.[0].length;
    if (mark === undefined) break;
    lines.push(line.slice(mark));
    at = lineEnd;
  }
  return { raw: source.slice(0, at + 1), body: lines.join("\n") };
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end < 0 ? source.length : end;
}
