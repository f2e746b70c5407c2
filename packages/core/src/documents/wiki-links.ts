import { foldText } from "../platform/fold-text.ts";
import { parentOf, type VaultPath } from "../vault/vault-path.ts";
import { withoutMarkdownEnding } from "./file-type.ts";
import { withoutCode } from "./without-code.ts";

/** More than any note has; what a machine wrote beyond that is not worth following. */
const MAX_LINKS = 1_000;
const MAX_TARGET_LENGTH = 1_000;
// Each character but the first can belong to one match only, so no text makes this slow.
const WIKI_LINK = /\[\[([^[\]|#^\n]{1,1000})(?:[#^|][^[\]\n]{0,1000})?\]\]/g;
const MAX_TITLE_LENGTH = 1_000;
const MAX_PARENTHESIS_LENGTH = 200;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;

/**
 * The paths that a Markdown text links to within the vault, each once, as they are written but decoded and without anchors:
 * `[[note]]`, `[[folder/note|shown]]`, `![[image.png]]` and `[shown](./folder/note.md#part)`. The time it takes grows with
 * the length of the text and with nothing else.
 */
export function findLinks(body: string): string[] {
  const text = body.includes("`") || body.includes("~~~") ? withoutCode(body) : body;
  const targets = new Set<string>();
  const add = (target: string): void => {
    const path = target.trim();
    if (path !== "" && path.length <= MAX_TARGET_LENGTH && targets.size < MAX_LINKS) targets.add(path);
  };
  if (text.includes("[[")) for (const [, target = ""] of text.matchAll(WIKI_LINK)) add(target);
  for (let start = text.indexOf("]("); start !== -1; start = text.indexOf("](", start + 2)) {
    const target = readDestination(text, start + 2);
    if (target !== null && !ELSEWHERE.test(target)) add(decode(withoutAnchor(target)));
  }
  return [...targets];
}

/** What stands in the parentheses of a link that begin before a place: `<path>` or a path, and perhaps a title. */
function readDestination(text: string, start: number): string | null {
  return text[start] === "<" ? readBracketedPath(text, start + 1) : readPlainPath(text, start);
}

function readBracketedPath(text: string, start: number): string | null {
  const limit = Math.min(text.length, start + MAX_TARGET_LENGTH + 1);
  for (let place = start; place < limit; place += 1) {
    const character = text[place];
    if (character === "\n" || character === "<") return null;
    if (character === ">") return place > start && isEnd(text, place + 1) ? text.slice(start, place) : null;
  }
  return null;
}

function readPlainPath(text: string, start: number): string | null {
  const limit = Math.min(text.length, start + MAX_TARGET_LENGTH + 1);
  for (let place = start; place < limit; place += 1) {
    const character = text[place];
    if (character === "\n" || character === "<" || character === ">") return null;
    if (character === ")") return place > start ? text.slice(start, place) : null;
    if (character === '"' && isTitleEnd(text, place)) return pathBeforeTitle(text, start, place);
    if (character !== "(") continue;
    place = endOfParenthesis(text, place);
    if (place === -1) return null;
  }
  return null;
}

/** The closing parenthesis to an opening one within a path; -1 where there is none, or another pair inside. */
function endOfParenthesis(text: string, open: number): number {
  for (let place = open + 1; place <= open + 1 + MAX_PARENTHESIS_LENGTH; place += 1) {
    const character = text[place];
    if (character === ")") return place;
    if (character === undefined || "(<>\n".includes(character)) return -1;
  }
  return -1;
}

/** Whether the link of a bracketed path ends here: with a parenthesis, perhaps behind a title. */
function isEnd(text: string, start: number): boolean {
  if (text[start] === ")") return true;
  let place = start;
  while (isSpace(text[place])) place += 1;
  return place > start && text[place] === '"' && isTitleEnd(text, place);
}

/** Whether the quotation mark at a place opens a title that is the last thing of a link. */
function isTitleEnd(text: string, quotationMark: number): boolean {
  for (let end = quotationMark + 1; end <= quotationMark + 1 + MAX_TITLE_LENGTH; end += 1) {
    const character = text[end];
    if (character === '"') return text[end + 1] === ")";
    if (character === undefined || character === "\n") return false;
  }
  return false;
}

/** The path before the title that begins at a place; null where nothing stands between them. */
function pathBeforeTitle(text: string, from: number, title: number): string | null {
  let end = title;
  while (end > from && isSpace(text[end - 1])) end -= 1;
  return end > from && end < title ? text.slice(from, end) : null;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

function withoutAnchor(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** What a link must say, at least, to mean a file: its name, without a Markdown ending and whatever the case. */
export function linkNameOf(path: string): string {
  return foldText(withoutMarkdownEnding(path.slice(path.lastIndexOf("/") + 1)));
}

/**
 * The one of several files, all of the link's name, that a link in the file at `from` means: the one at exactly that path,
 * from here or from the root; else one whose path ends in it, with the shortest path first.
 */
export function pickTarget<Candidate extends { readonly path: string }>(
  target: string,
  from: VaultPath,
  candidates: readonly Candidate[],
): Candidate | null {
  const isRelative = target.startsWith("./") || target.startsWith("../");
  const places = isRelative
    ? [resolve(parentOf(from), target)]
    : [resolve(parentOf(from), target), resolve("", target)];
  for (const place of places) {
    const exact = candidates.find(({ path }) => place !== null && normalize(path) === normalize(place));
    if (exact !== undefined) return exact;
  }
  if (isRelative || target.startsWith("/")) return null;
  const ending = `/${normalize(target)}`;
  const [best] = candidates
    .filter(({ path }) => `/${normalize(path)}`.endsWith(ending))
    .toSorted((one, other) => one.path.length - other.path.length || (one.path < other.path ? -1 : 1));
  return best ?? null;
}

/** The path that a link means when it is read in a directory; null for one that leads out of the vault. */
function resolve(directory: string, target: string): string | null {
  const names = target.startsWith("/") ? [] : directory.split("/").filter((name) => name !== "");
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}

function normalize(path: string): string {
  return foldText(withoutMarkdownEnding(path));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
