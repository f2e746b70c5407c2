/** Paths in the vault are names joined by `/`, without a leading slash; the vault itself is "". */
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

/** Whether a path is the folder itself or inside it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === VAULT_ROOT || path === folder || path.startsWith(`${folder}/`);
}

/** The path after `from` has been moved to `to`. */
export function rebase(path: string, from: string, to: string): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}

/** A name without its extension; a name that consists of an extension only is unchanged. */
export function stemOf(name: string): string {
  return name.slice(0, name.length - extensionOf(name).length);
}

/** The extension of a name including the dot; "" if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot);
}

/** The name that was typed for a file whose extension is not shown, and kept. Typed all the same, it is not added once more. */
export function nameFromTyped(typed: string, name: string): string {
  const extension = extensionOf(name);
  const stem = typed.trim();
  if (stem === stemOf(name)) return name;
  const isTyped = stem.toLowerCase().endsWith(extension.toLowerCase());
  return (isTyped ? stem.slice(0, stem.length - extension.length) : stem) + extension;
}

/** The first unused name of "Note.md", "Note 2.md", "Note 3.md" … */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let count = 2; ; count += 1) {
    const candidate = `${stemOf(name)} ${count}${extensionOf(name)}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** What is wrong with the name of a file or folder, in a sentence; null if it is valid. */
export function problemWithName(name: string): string | null {
  if (name === "") return "Enter a name.";
  if (name.startsWith(".")) return "A name cannot start with a dot.";
  if (FORBIDDEN.test(name)) return "A name cannot contain slashes or control characters.";
  if (encoder.encode(name).length > MAX_NAME_BYTES) return "This name is too long.";
  return null;
}

/** Removes paths that lie within another of the paths: moving or deleting the rest moves or deletes all. */
export function outermost(paths: readonly string[]): string[] {
  const known = new Set(paths);
  return [...known].filter((path) => !foldersAbove(path).some((folder) => known.has(folder)));
}
