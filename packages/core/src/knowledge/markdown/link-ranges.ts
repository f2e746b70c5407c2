import { inSlices } from "../../platform/in-slices.ts";
import { codeSpans } from "./code-spans.ts";
import { readDestination } from "./link-destination.ts";
import { charCodes, markdownLines, type TextLine } from "./markdown-lines.ts";
import type { TextSpan } from "./text-spans.ts";

const MAX_TARGET_LENGTH = 1_000;
/** More than there can be in a megabyte, as far as links are read; of longer texts, whatever follows is ignored. */
const MAX_RANGES = 250_000;
/** Reading this much of a line takes a few milliseconds at most. */
const PIECE_CHARACTERS = 64 * 1024;
const MAX_WIKI_LENGTH = 2_100;
const EXTERNAL = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;
const SPECIAL = charCodes("\\`[]<");
const BLANK_LINE = /\n[ \t\r]*(?:\n|$)/g;
const COMMENT_START = "<!--";
const COMMENT_END = "-->";

/**
 * A link in a text to another file of the vault, as `[[target#part|label]]`, `[label](target#part)` or `[label]: target`. Images
 * and embeds are links, too.
 */
export interface LinkRange {
  readonly kind: "wiki" | "markdown";
  /** The place of the target as it is written, without its part, label and brackets. */
  readonly start: number;
  readonly end: number;
  /** The path that it refers to: decoded. */
  readonly target: string;
  /** Of a wiki link, what follows the target up to the label, for example `#Heading` or `#^block`. May belong to the path. */
  readonly part: string;
}

/**
 * Finds the links in a Markdown text from an offset on: not those in code, in comments and to other sites. Whatever the text, it
 * takes linear time.
 */
export function findLinkRanges(text: string, from = 0): LinkRange[] {
  if (!text.includes("[[", from) && !text.includes("](", from) && !text.includes("]:", from)) return [];
  const scanner = createScanner(text, from);
  // Collecting the lines would take as long as finding the links in them.
  for (const line of markdownLines(text, from)) {
    if (scanner.ranges.length >= MAX_RANGES) break;
    if (line !== null) scanner.scan(line);
  }
  return scanner.ranges;
}

/** Finds the links in a text that may be longer than a note; yields to the event loop in between, also within a long line. */
export async function findLinkRangesInSlices(text: string): Promise<LinkRange[]> {
  const scanner = createScanner(text, 0);
  await inSlices(scanInParts(text, scanner), () => {});
  return scanner.ranges;
}

function* scanInParts(text: string, { ranges, scan }: ReturnType<typeof createScanner>): Generator<undefined> {
  for (const line of markdownLines(text, 0)) {
    if (ranges.length >= MAX_RANGES) return;
    if (line === null) yield;
    else for (let at = line.start; at < line.end; yield) at = scan(line, at, at + PIECE_CHARACTERS);
  }
}

export interface ScannedMarkdown {
  readonly ranges: readonly LinkRange[];
  /** The lines that are not code. */
  readonly lines: readonly TextLine[];
  /** What is no plain text in them, in order: code, comments and links with their labels. */
  readonly marked: readonly TextSpan[];
}

/** The links in a Markdown text, and where there is plain text in it, to the end of the links that are open at `to`. Takes linear time. */
export function scanMarkdown(text: string, from = 0, to = text.length): ScannedMarkdown {
  const scanner = createScanner(text, from);
  const lines: TextLine[] = [];
  for (const line of markdownLines(text, from)) {
    if (scanner.ranges.length >= MAX_RANGES) break;
    if (line === null) continue;
    // What is open in a paragraph ends with it.
    if (line.start >= to && (line.beginsBlock || !scanner.isInLabel())) break;
    scanner.scan(line);
    lines.push(line);
  }
  const { ranges, marked } = scanner;
  return { ranges, lines, marked: marked.toSorted((one, other) => one.start - other.start) };
}

function createScanner(text: string, from: number) {
  const ranges: LinkRange[] = [];
  const marked: TextSpan[] = [];
  const nextCommentEnd = createFinder(text, from, (at) => text.indexOf(COMMENT_END, at));
  const nextBlankLine = createFinder(text, from, (at) => findBlankLine(text, at));
  let commentedTo = from;
  let wasDefinition = false;
  /** The brackets that are open in the paragraph so far. */
  let open: number[] = [];
  let lineBeginsBlock = false;
  let spans: ReadonlyMap<number, number> | null = null;

  /** The end of a comment; null if it is none. One that begins a block may contain blank lines, or never end. */
  function endOfComment(start: number, beginsBlock: boolean): number | null {
    if (!text.startsWith(COMMENT_START, start)) return null;
    const end = nextCommentEnd(start + COMMENT_START.length);
    if (beginsBlock) return Math.min(text.length, end + COMMENT_END.length);
    return end < nextBlankLine(start) ? end + COMMENT_END.length : null;
  }

  /** Adds the wiki link at an opening bracket. Returns where it ends; null if there is none. */
  function addWikiLink(start: number, limit: number): number | null {
    const end = endOfWikiLink(text, start, Math.min(limit, start + MAX_WIKI_LENGTH));
    const range = end === null ? null : wikiRange(text, start + 2, end - 2);
    if (range !== null) ranges.push(range);
    return end;
  }

  /** Adds the link whose label ends with a closing bracket. Returns where it ends; null if there is none. */
  function addMarkdownLink(closing: number, line: TextLine, isDefinition: boolean): number | null {
    const destination = readDestination(text, { start: closing + 2, limit: line.end, isDefinition });
    if (destination === null) return null;
    const { start, end, target, next } = destination;
    if (!EXTERNAL.test(text.slice(start, end)) && target.length <= MAX_TARGET_LENGTH && end > start) {
      ranges.push({ kind: "markdown", start, end, target, part: "" });
    }
    return next;
  }

  function closeBracket(closing: number, line: TextLine, beginsBlock: boolean): number {
    const opening = open.pop();
    const mark = text[closing + 1];
    if (opening === undefined || (mark !== "(" && mark !== ":")) return closing + 1;
    const isNamed = beginsBlock && opening === line.start && text[opening + 1] !== "^" && closing > opening + 1;
    const isDefinition = mark === ":" && isNamed;
    const end = mark === "(" || isDefinition ? addMarkdownLink(closing, line, isDefinition) : null;
    if (mark === ":") wasDefinition = end !== null;
    if (end !== null) marked.push({ start: opening, end });
    return end ?? closing + 1;
  }

  return {
    ranges,
    marked,
    /** Whether a bracket is open, which may turn out to begin a link. */
    isInLabel: () => open.length > 0,

    /** Reads a line, or its part from a place to about another one. Returns where to go on; the line's end or more if it is done. */
    scan(line: TextLine, from = line.start, to = line.end): number {
      if (from === line.start) {
        lineBeginsBlock = line.beginsBlock || wasDefinition;
        wasDefinition = false;
        if (line.beginsBlock) open = [];
        spans = null;
      }
      let at = Math.max(from, commentedTo);
      for (;;) {
        at = nextSpecial(text, at, Math.min(line.end, to));
        if (at >= to || at === line.end) return at;
        switch (text.charAt(at)) {
          case "\\":
            at += 2;
            break;
          case "`":
            spans ??= codeSpans(text, at, line.end);
            marked.push({ start: at, end: spans.get(at) ?? at });
            at = spans.get(at) ?? endOfRun(text, at, line.end);
            break;
          case "<": {
            const end = endOfComment(at, at === line.start);
            if (end !== null) marked.push({ start: at, end: (commentedTo = end) });
            at = end ?? at + 1;
            break;
          }
          case "[": {
            const end = text[at + 1] === "[" ? addWikiLink(at, line.end) : null;
            if (end === null) open.push(at);
            else marked.push({ start: at, end });
            at = end ?? at + 1;
            break;
          }
          default:
            at = closeBracket(at, line, lineBeginsBlock);
        }
        if (at >= line.end || ranges.length >= MAX_RANGES) return line.end;
      }
    },
  };
}

/** The first backslash, backtick, bracket or angle bracket from a position on. */
function nextSpecial(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && !SPECIAL.has(text.charCodeAt(at))) at += 1;
  return Math.min(at, end);
}

function endOfRun(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text[at] === "`") at += 1;
  return at;
}

/** The end of a wiki link that opens at a position; null if it is not closed before another bracket or the end of its line. */
function endOfWikiLink(text: string, start: number, limit: number): number | null {
  for (let at = start + 2; at < limit; at += 1) {
    if (text[at] === "[") return null;
    if (text[at] === "]") return text[at + 1] === "]" && at + 1 < limit ? at + 2 : null;
  }
  return null;
}

/** The target within the brackets of a wiki link; null if there is none. In a table, its label follows an escaped bar. */
export function wikiRange(text: string, from: number, to: number): LinkRange | null {
  const inner = text.slice(from, to);
  const bar = inner.indexOf("|");
  const isEscaped = bar > 0 && inner[bar - 1] === "\\";
  const written = bar === -1 ? inner : inner.slice(0, isEscaped ? bar - 1 : bar);
  const mark = written.search(/[#^]/);
  const named = mark === -1 ? written : written.slice(0, mark);
  const target = named.trim();
  if (target === "" || target.length > MAX_TARGET_LENGTH) return null;
  const start = from + named.indexOf(target);
  const end = start + target.length;
  return { kind: "wiki", start, end, target, part: text.slice(end, from + written.length) };
}

function findBlankLine(text: string, from: number): number {
  BLANK_LINE.lastIndex = from;
  return BLANK_LINE.exec(text)?.index ?? -1;
}

/** Returns a search from positions that never decrease, which passes over no part of the text twice. */
function createFinder(text: string, from: number, search: (at: number) => number): (at: number) => number {
  let found = from - 1;
  return (at) => {
    if (found < at) {
      found = search(at);
      if (found === -1) found = text.length;
    }
    return found;
  };
}
