/** A folder has one name: without a slash at its end. */
export function toPlainPath<Path extends string | null>(path: Path): Path | string {
  if (path === null) return path;
  const plain = path.replace(/(?<!\/)\/+$/, "");
  return plain === "" ? path.slice(0, 1) : plain;
}

/** Whose memories a project's context takes besides those of no project. */
export interface ProjectScope {
  /** The names of the project itself. What lies below them counts as the project's own. */
  readonly own: readonly string[];
  /** The folders above it, whose memories hold in it too; the root left out. */
  readonly above: readonly string[];
}

/** The scope of a project that goes by one or more names. */
export function projectScope(names: readonly string[]): ProjectScope {
  const own = [...new Set(names.filter((name) => name !== "").map((name) => toPlainPath(name)))];
  const above = [...new Set(own.flatMap(foldersAbove))].filter((folder) => !own.includes(folder));
  return { own, above };
}

/** What the paths of the folders below a folder begin with. */
export function folderPrefix(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}

/** Whether a memory of a project, or of none, belongs to the scope. */
export function isInScope({ own, above }: ProjectScope, projectPath: string | null): boolean {
  if (projectPath === null || own.includes(projectPath) || above.includes(projectPath)) return true;
  return own.some((name) => projectPath.startsWith(folderPrefix(name)));
}

/** The folders that contain a path, nearest first; the root left out. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) folders.push(path.slice(0, end));
  return folders;
}

/** A path as clients give it: that of a `file:` URL too, and without spaces around it. */
export function toFilePath(given: string): string {
  const text = given.trim();
  const path = /^file:\/\/(?:localhost)?\/(?<path>.*)$/is.exec(text)?.groups?.["path"];
  if (path === undefined) return text;
  const decoded = path.replaceAll(/(?:%[\da-f]{2})+/gi, decodeEscapes);
  return /^[A-Za-z]:/.test(decoded) ? decoded : `/${decoded}`;
}

/** What is no UTF-8 stays as it is. */
function decodeEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
