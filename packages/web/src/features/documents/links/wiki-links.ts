import type { WikiLink } from "@workspace/markdown";
import { isMarkdownPath } from "../document.ts";
import { childOf, nameOf, parentOf, VAULT_ROOT } from "../vault/vault-path.ts";

const MAX_READINGS = 4;

/** A file at a path that links use, which it may have had before. */
interface Place<File> {
  readonly path: string;
  readonly file: File;
}

/** Files by the name that a link to one of them uses. */
export type LinkIndex<File extends { readonly path: string }> = ReadonlyMap<string, readonly Place<File>[]>;

/** `former`: paths of files that are still to be moved on the server, which then changes the links to them. */
export function buildLinkIndex<File extends { readonly path: string }>(
  files: readonly File[],
  former: readonly Place<File>[] = [],
): LinkIndex<File> {
  const index = new Map<string, Place<File>[]>();
  for (const place of [...files.map((file) => ({ path: file.path, file })), ...former]) {
    const name = linkNameOf(place.path);
    const named = index.get(name);
    if (named === undefined) index.set(name, [place]);
    else named.push(place);
  }
  return index;
}

/**
 * Resolves a link in the file at `from`: to the file at exactly that path, relative to that file or to the root; otherwise
 * to a file whose path ends with it, preferring the shortest path. Follows the same rules as the server.
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
    if (exact !== undefined) return exact.file;
  }
  if (isRelative || target.startsWith("/")) return null;
  const ending = `/${fold(target)}`;
  return (
    candidates
      .filter(({ path }) => `/${fold(path)}`.endsWith(ending))
      .toSorted((one, other) => one.path.length - other.path.length || (one.path < other.path ? -1 : 1))[0]?.file ??
    null
  );
}

/**
 * Resolves a wiki link, which may refer to a file with `#` in its path: the longest reading with a file is meant. Returns the file
 * and the reading.
 */
export function resolveWikiLink<File extends { readonly path: string }>(
  { target, part }: Pick<WikiLink, "target" | "part">,
  from: string,
  index: LinkIndex<File>,
): { readonly file: File; readonly target: string } | null {
  for (const reading of readingsOf(target, part)) {
    const file = resolveLink(reading, from, index);
    if (file !== null) return { file, target: reading };
  }
  return null;
}

/** Follows the same rules as the server. */
function readingsOf(target: string, part: string): string[] {
  const readings = [target];
  const whole = target + part;
  for (let end = target.length; end < whole.length && readings.length < MAX_READINGS;) {
    const mark = whole.slice(end + 1).search(/[#^]/);
    end = mark === -1 ? whole.length : end + 1 + mark;
    readings.unshift(whole.slice(0, end).trim());
  }
  return readings;
}

/** The shortest link text that identifies a file from anywhere: its name, or its path if the name is not unique. */
export function linkTextOf(path: string, index: LinkIndex<{ readonly path: string }>): string {
  const named = new Set(index.get(linkNameOf(path))?.map(({ file }) => file));
  const isUnique = named.size <= 1;
  return withoutExtension(isUnique ? nameOf(path) : path);
}

/** Where to create the note that a link refers to: beside the note with the link, unless the link names a folder. */
export function pathForNewNote(target: string, from: string): string | null {
  const folder = target.includes("/") && !target.startsWith(".") ? VAULT_ROOT : parentOf(from);
  const path = resolvePath(folder, target);
  if (path === null || path === "") return null;
  return isMarkdownPath(path) ? path : `${path}.md`;
}

/** Resolves a link's path relative to a folder; null if it leads out of the vault. */
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
  return withoutExtension(path).normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function withoutExtension(path: string): string {
  return path.replace(/\.(md|markdown)$/i, "");
}
