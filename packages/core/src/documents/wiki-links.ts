import { foldText } from "../platform/fold-text.ts";
import { parentOf, type VaultPath } from "../vault/vault-path.ts";
import { withoutMarkdownEnding } from "./file-type.ts";

/** More than any note has; what a machine wrote beyond that is not worth following. */
const MAX_LINKS = 1_000;
const MAX_TARGET_LENGTH = 1_000;
const CODE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|(?![\s\S]))|`[^`\n]*`/gm;
// Bounded, so that no text makes them slow.
const WIKI_LINK = /\[\[([^[\]|#^\n]{1,1000})(?:[#^|][^[\]\n]{0,1000})?\]\]/g;
const TITLE = /(?:[ \t]{1,9}"[^"\n]{0,1000}")?/.source;
const PLAIN_TARGET = /(?:[^()<>\n]|\([^()<>\n]{0,200}\)){1,1000}?/.source;
const MARKDOWN_LINK = new RegExp(String.raw`\]\((?:<([^<>\n]{1,1000})>|(${PLAIN_TARGET}))${TITLE}\)`, "g");
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;

/**
 * The paths that a Markdown text links to within the vault, each once, as they are written but decoded and without anchors:
 * `[[note]]`, `[[folder/note|shown]]`, `![[image.png]]` and `[shown](./folder/note.md#part)`.
 */
export function findLinks(body: string): string[] {
  const text = body.includes("`") || body.includes("~~~") ? body.replaceAll(CODE, "") : body;
  const targets = new Set<string>();
  const add = (target: string): void => {
    const path = target.trim();
    if (path !== "" && path.length <= MAX_TARGET_LENGTH && targets.size < MAX_LINKS) targets.add(path);
  };
  if (text.includes("[[")) for (const [, target = ""] of text.matchAll(WIKI_LINK)) add(target);
  if (text.includes("](")) {
    for (const [, bracketed, plain = ""] of text.matchAll(MARKDOWN_LINK)) {
      const target = bracketed ?? plain;
      if (!ELSEWHERE.test(target)) add(decode(target.replace(/[?#].*$/, "")));
    }
  }
  return [...targets];
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
