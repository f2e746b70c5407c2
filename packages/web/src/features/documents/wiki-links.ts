import { isMarkdownPath } from "./document.ts";
import { childOf, nameOf, parentOf, VAULT_ROOT } from "./vault-path.ts";

/** A wiki-link in a text: `[[target]]`, `[[target#part|shown]]`, or with `!` before it for what is shown in place. */
export interface WikiLink {
  readonly from: number;
  readonly to: number;
  readonly target: string;
  /** The words that stand for it; null where the target itself does. */
  readonly label: string | null;
  readonly isEmbed: boolean;
}

const WIKI_LINK = /(!?)\[\[([^[\]|#^\n]{1,1000})((?:[#^][^[\]|\n]{0,500})?)(?:\|([^[\]\n]{0,500}))?\]\]/g;

/** The wiki-links of a text, with `offset` added to their places. The same rule as the server's. */
export function findWikiLinks(text: string, offset = 0): WikiLink[] {
  return [...text.matchAll(WIKI_LINK)].map(({ 0: whole, 1: mark, 2: target = "", 4: label, index }) => ({
    from: offset + index,
    to: offset + index + whole.length,
    target: target.trim(),
    label: label === undefined || label.trim() === "" ? null : label.trim(),
    isEmbed: mark === "!",
  }));
}

/** Files by the name that a link must say to mean one of them. */
export type LinkIndex<File extends { readonly path: string }> = ReadonlyMap<string, readonly File[]>;

export function indexForLinks<File extends { readonly path: string }>(files: readonly File[]): LinkIndex<File> {
  const index = new Map<string, File[]>();
  for (const file of files) {
    const name = linkNameOf(file.path);
    const named = index.get(name);
    if (named === undefined) index.set(name, [file]);
    else named.push(file);
  }
  return index;
}

/**
 * The file that a link in the file at `from` means: the one at exactly that path, from here or from the root; else one
 * whose path ends in it, with the shortest path first. The same rule as the server's.
 */
export function resolveLink<File extends { readonly path: string }>(
  target: string,
  from: string,
  index: LinkIndex<File>,
): File | null {
  const candidates = index.get(linkNameOf(target)) ?? [];
  const isRelative = target.startsWith("./") || target.startsWith("../");
  const places = [resolvePath(parentOf(from), target), ...(isRelative ? [] : [resolvePath(VAULT_ROOT, target)])];
  for (const place of places) {
    const exact = candidates.find(({ path }) => place !== null && fold(path) === fold(place));
    if (exact !== undefined) return exact;
  }
  if (isRelative || target.startsWith("/")) return null;
  const ending = `/${fold(target)}`;
  return (
    candidates
      .filter(({ path }) => `/${fold(path)}`.endsWith(ending))
      .toSorted((one, other) => one.path.length - other.path.length || (one.path < other.path ? -1 : 1))[0] ?? null
  );
}

/** The shortest text that means a file from anywhere: its name, or its path where another file has the name too. */
export function linkTextOf(path: string, index: LinkIndex<{ readonly path: string }>): string {
  const isUnique = (index.get(linkNameOf(path)) ?? []).length <= 1;
  return withoutEnding(isUnique ? nameOf(path) : path);
}

/** Where a note that a link speaks of would be made: beside the note with the link, unless it names a folder. */
export function pathForNewNote(target: string, from: string): string | null {
  const folder = target.includes("/") && !target.startsWith(".") ? VAULT_ROOT : parentOf(from);
  const path = resolvePath(folder, target);
  if (path === null || path === "") return null;
  return isMarkdownPath(path) ? path : `${path}.md`;
}

/** The path that a link means when it is read in a folder; null for one that leads out of the vault. */
export function resolvePath(folder: string, target: string): string | null {
  let path = target.startsWith("/") ? VAULT_ROOT : folder;
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") path = childOf(path, name);
    else if (path === VAULT_ROOT) return null;
    else path = parentOf(path);
  }
  return path;
}

function linkNameOf(path: string): string {
  return fold(nameOf(path));
}

function fold(path: string): string {
  return withoutEnding(path).normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function withoutEnding(path: string): string {
  return path.replace(/\.(md|markdown)$/i, "");
}
