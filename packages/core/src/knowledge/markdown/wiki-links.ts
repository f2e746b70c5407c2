import { foldText } from "../../platform/fold-text.ts";
import { parentOf, type VaultPath } from "../vault/vault-path.ts";
import { withoutMarkdownExtension } from "./file-type.ts";
import { withoutCode } from "./without-code.ts";

/** More than any note has. Further links in a generated file are ignored. */
const MAX_LINKS = 1_000;
const MAX_TARGET_LENGTH = 1_000;
// Apart from the first, each character can belong to only one match, so no text makes this slow.
const WIKI_LINK = /\[\[([^[\]|#^\n]{1,1000})(?:[#^|][^[\]\n]{0,1000})?\]\]/g;
const MAX_TITLE_LENGTH = 1_000;
const MAX_PARENTHESIS_LENGTH = 200;
const EXTERNAL = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;

/**
 * Finds the paths within the vault that a Markdown text links to, without duplicates, as written but decoded and without
 * anchors: `[[note]]`, `[[folder/note|label]]`, `![[image.png]]` and `[label](./folder/note.md#section)`. Runs in linear time.
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
    if (target !== null && !EXTERNAL.test(target)) add(decode(withoutAnchor(target)));
  }
  return [...targets];
}

/** Parses the parenthesized part of a link, of which the parenthesis ends at `start`: `<path>` or a path, optionally a title. */
function readDestination(text: string, start: number): string | null {
  return text[start] === "<" ? readBracketedPath(text, start + 1) : readPlainPath(text, start);
}

function readBracketedPath(text: string, start: number): string | null {
  const limit = Math.min(text.length, start + MAX_TARGET_LENGTH + 1);
  for (let index = start; index < limit; index += 1) {
    const character = text[index];
    if (character === "\n" || character === "<") return null;
    if (character === ">") return index > start && isEnd(text, index + 1) ? text.slice(start, index) : null;
  }
  return null;
}

function readPlainPath(text: string, start: number): string | null {
  const limit = Math.min(text.length, start + MAX_TARGET_LENGTH + 1);
  for (let index = start; index < limit; index += 1) {
    const character = text[index];
    if (character === "\n" || character === "<" || character === ">") return null;
    if (character === ")") return index > start ? text.slice(start, index) : null;
    if (character === '"' && isTitleEnd(text, index)) return pathBeforeTitle(text, start, index);
    if (character !== "(") continue;
    index = endOfParenthesis(text, index);
    if (index === -1) return null;
  }
  return null;
}

/** The index of the parenthesis that closes one within a path; -1 if there is none or there are nested ones. */
function endOfParenthesis(text: string, open: number): number {
  for (let index = open + 1; index <= open + 1 + MAX_PARENTHESIS_LENGTH; index += 1) {
    const character = text[index];
    if (character === ")") return index;
    if (character === undefined || "(<>\n".includes(character)) return -1;
  }
  return -1;
}

/** Whether the link ends after a bracketed path: with a parenthesis, optionally preceded by a title. */
function isEnd(text: string, start: number): boolean {
  if (text[start] === ")") return true;
  let index = start;
  while (isSpace(text[index])) index += 1;
  return index > start && text[index] === '"' && isTitleEnd(text, index);
}

/** Whether a quotation mark opens a title that ends the link. */
function isTitleEnd(text: string, quotationMark: number): boolean {
  for (let end = quotationMark + 1; end <= quotationMark + 1 + MAX_TITLE_LENGTH; end += 1) {
    const character = text[end];
    if (character === '"') return text[end + 1] === ")";
    if (character === undefined || character === "\n") return false;
  }
  return false;
}

/** The path before a title; null unless they are separated by whitespace. */
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

/** The part of a path that a link must match at least: the file name, case-folded and without a Markdown extension. */
export function linkNameOf(path: string): string {
  return foldText(withoutMarkdownExtension(path.slice(path.lastIndexOf("/") + 1)));
}

/**
 * Resolves a link in the file at `from` to one of the files with the link's name: the one at exactly that path, relative to
 * the file or to the root; otherwise the one with the shortest path that ends with it.
 */
export function resolveLink<Candidate extends { readonly path: string }>(
  target: string,
  from: VaultPath,
  candidates: readonly Candidate[],
): Candidate | null {
  const isRelative = target.startsWith("./") || target.startsWith("../");
  const paths = isRelative
    ? [resolvePath(parentOf(from), target)]
    : [resolvePath(parentOf(from), target), resolvePath("", target)];
  for (const resolved of paths) {
    const exact = candidates.find(({ path }) => resolved !== null && normalize(path) === normalize(resolved));
    if (exact !== undefined) return exact;
  }
  if (isRelative || target.startsWith("/")) return null;
  const ending = `/${normalize(target)}`;
  const [best] = candidates
    .filter(({ path }) => `/${normalize(path)}`.endsWith(ending))
    .toSorted((one, other) => one.path.length - other.path.length || (one.path < other.path ? -1 : 1));
  return best ?? null;
}

/** Resolves a path relative to a directory; null if it leads out of the vault. */
function resolvePath(directory: string, target: string): string | null {
  const names = target.startsWith("/") ? [] : directory.split("/").filter((name) => name !== "");
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}

function normalize(path: string): string {
  return foldText(withoutMarkdownExtension(path));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
