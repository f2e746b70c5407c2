/** What the judgement of policies uses of Node's `path`, for browsers: absolute POSIX paths. */
export function resolve(...parts: readonly string[]): string {
  const start = parts.findLastIndex((part) => part.startsWith("/"));
  const names: string[] = [];
  for (const name of parts.slice(Math.max(start, 0)).flatMap((part) => part.split("/"))) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}
