const MAX_TARGET_LENGTH = 1_000;
const MAX_TITLE_LENGTH = 1_000;
const MAX_PARENTHESIS_LENGTH = 200;
/** A character after a backslash, or in the notation of HTML. */
const ESCAPED = /\\([!-/:-@[-`{-~])|&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** What has the form of a character in the notation of HTML. */
export const ENTITY = /&(?=#?[a-z0-9]+;)/gi;

export interface Destination {
  /** The place of the path, without angle brackets and anchor. */
  readonly start: number;
  readonly end: number;
  /** The path, decoded. */
  readonly target: string;
  /** Where the link ends. */
  readonly next: number;
}

export interface DestinationPlace {
  /** Behind the parenthesis of a link or the colon of a definition. */
  readonly start: number;
  /** The end of the line. */
  readonly limit: number;
  readonly isDefinition: boolean;
}

/** Parses what a link or a definition refers to: `<path>` or a path, optionally followed by a title. Null if it is neither. */
export function readDestination(text: string, { start, limit, isDefinition }: DestinationPlace): Destination | null {
  const from = skipSpaces(text, start, limit);
  const to = Math.min(limit, from + MAX_TARGET_LENGTH + 1);
  const found =
    text[from] === "<"
      ? readBracketed(text, from + 1, to)
      : isDefinition
        ? readWord(text, from, to)
        : readPlain(text, from, to, limit);
  if (found === null || found.end <= found.start) return null;
  const next = isDefinition ? endOfDefinition(text, found.next, limit) : endOfLink(text, found.next, limit);
  if (next === null) return null;
  const raw = text.slice(found.start, found.end);
  const anchor = raw.search(/\?|(?<!&)#/);
  const path = anchor === -1 ? raw : raw.slice(0, anchor);
  return { start: found.start, end: found.start + path.length, target: decode(path), next };
}

interface Path {
  readonly start: number;
  readonly end: number;
  /** Where the rest of the link is. */
  readonly next: number;
}

function readBracketed(text: string, start: number, to: number): Path | null {
  for (let at = start; at < to; at += 1) {
    const character = text[at];
    if (character === "<") return null;
    if (character === ">") return { start, end: at, next: at + 1 };
    if (character === "\\") at += 1;
  }
  return null;
}

function readWord(text: string, start: number, to: number): Path | null {
  let end = start;
  while (end < to && !isSpace(text[end]) && text[end] !== "\r") end += 1;
  return { start, end, next: end };
}

/** A path without brackets. Unlike in other Markdown, it may contain spaces. */
function readPlain(text: string, start: number, to: number, limit: number): Path | null {
  for (let at = start; at < to; at += 1) {
    const character = text[at];
    if (character === "<" || character === ">") return null;
    if (character === ")") return { start, end: trimEnd(text, start, at), next: at };
    if ((character === '"' || character === "'") && opensTitle(text, start, at, limit)) {
      return { start, end: trimEnd(text, start, at), next: at };
    }
    if (character === "\\") at += 1;
    if (character !== "(") continue;
    at = endOfParenthesis(text, at, limit);
    if (at === -1) return null;
  }
  return null;
}

/** Whether a quotation mark opens a title, which ends the link, instead of being part of the path. */
function opensTitle(text: string, start: number, at: number, limit: number): boolean {
  if (at > start && !isSpace(text[at - 1])) return false;
  const end = endOfTitle(text, at, limit);
  return end !== null && text[skipSpaces(text, end, limit)] === ")";
}

/** The index of the parenthesis that closes one within a path; -1 if there is none or there are nested ones. */
function endOfParenthesis(text: string, open: number, limit: number): number {
  const end = Math.min(limit, open + 2 + MAX_PARENTHESIS_LENGTH);
  for (let at = open + 1; at < end; at += 1) {
    if (text[at] === ")") return at;
    if ("(<>".includes(text[at] ?? "")) return -1;
  }
  return -1;
}

function endOfLink(text: string, from: number, limit: number): number | null {
  let at = skipSpaces(text, from, limit);
  if (text[at] !== ")") {
    const title = at > from || isSpace(text[from - 1]) ? endOfTitle(text, at, limit) : null;
    if (title === null) return null;
    at = skipSpaces(text, title, limit);
  }
  return at < limit && text[at] === ")" ? at + 1 : null;
}

function endOfDefinition(text: string, from: number, limit: number): number | null {
  const at = skipSpaces(text, from, limit);
  if (isLineEnd(text, at, limit)) return limit;
  const title = at > from ? endOfTitle(text, at, limit) : null;
  return title !== null && isLineEnd(text, skipSpaces(text, title, limit), limit) ? limit : null;
}

/** The end of a title in double quotes, single quotes or parentheses; null if there is none. */
function endOfTitle(text: string, start: number, limit: number): number | null {
  const opening = text[start];
  if (opening !== '"' && opening !== "'" && opening !== "(") return null;
  const closing = opening === "(" ? ")" : opening;
  const to = Math.min(limit, start + 2 + MAX_TITLE_LENGTH);
  for (let at = start + 1; at < to; at += 1) {
    if (text[at] === closing) return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return null;
}

function isLineEnd(text: string, at: number, limit: number): boolean {
  return at >= limit || (text[at] === "\r" && at + 1 === limit);
}

function skipSpaces(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && isSpace(text[at])) at += 1;
  return at;
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text[at - 1])) at -= 1;
  return at;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

function unescape(whole: string, mark?: string, name?: string, decimal?: string, hex?: string): string {
  if (mark !== undefined) return mark;
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
}

function decode(path: string): string {
  const unescaped = path.includes("&") || path.includes("\\") ? path.replaceAll(ESCAPED, unescape) : path;
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
}
