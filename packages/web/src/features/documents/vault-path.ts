/** Paths of the vault are names joined by `/`, without a leading slash; the vault itself is "". */
export const VAULT_ROOT = "";

const FORBIDDEN = /[/\\]|\p{Cc}/u;
const MAX_NAME_BYTES = 255;
const encoder = new TextEncoder();

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

export function childOf(folder: string, name: string): string {
  return folder === VAULT_ROOT ? name : `${folder}/${name}`;
}

/** The folders above a path, outermost first, without the vault itself. */
export function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

/** Whether a path is a folder or something in it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === VAULT_ROOT || path === folder || path.startsWith(`${folder}/`);
}

/** Where a path is after what was at `from` has gone to `to`. */
export function rebase(path: string, from: string, to: string): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}

/** A name without its ending; a name that is nothing but an ending stays as it is. */
export function stemOf(name: string): string {
  return name.slice(0, name.length - endingOf(name).length);
}

/** The ending of a name with its dot, "" for none. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot);
}

/** The first of "Note.md", "Note 2.md", "Note 3.md" … that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let count = 2; ; count += 1) {
    const candidate = `${stemOf(name)} ${count}${endingOf(name)}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** What is wrong with a name for a file or folder, in a sentence; null for a good one. */
export function problemWithName(name: string): string | null {
  if (name === "") return "A name is needed.";
  if (name.startsWith(".")) return "A name cannot begin with a dot.";
  if (FORBIDDEN.test(name)) return "A name cannot hold slashes or control characters.";
  if (encoder.encode(name).length > MAX_NAME_BYTES) return "This name is too long.";
  return null;
}

/** Those of several paths that are not within another one of them: what must be moved or deleted to move or delete all. */
export function outermost(paths: readonly string[]): string[] {
  const known = new Set(paths);
  return [...known].filter((path) => !foldersAbove(path).some((folder) => known.has(folder)));
}
