/** A folder has one name: without a slash at its end. */
export function toPlainPath<Path extends string | null>(path: Path): Path | string {
  return path === null ? path : path.replace(/(?<=.)\/+$/, "");
}

/** The folder itself and those above it, whose memories hold in it too; the root left out. */
export function projectScope(projectPath: string): string[] {
  const path = projectPath.replace(/\/+$/, "");
  const scope: string[] = [];
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) scope.push(path.slice(0, end));
  return scope;
}
