/**
 * The URL of a path of a server, whose address may have a path itself, such as `https://example.org/workspace`. Undefined if that is no
 * address.
 */
export function urlAt(server: string, path: string): URL | undefined {
  const url = server.replace(/\/$/, "") + path;
  return URL.canParse(url) ? new URL(url) : undefined;
}
