/**
 * The URL of a repository's remote in its configuration, preferring `origin`; undefined if there is none.
 */
export function findRemoteUrl(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]\s"]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section !== null) remote = section[1]?.toLowerCase() === "remote" ? section[2] : undefined;
    const url = /^\s*url\s*=([\s\S]*)/i.exec(line)?.[1]?.trim();
    if (remote !== undefined && url !== undefined && url !== "" && !urls.has(remote))
      urls.set(remote, url.replace(/^"|"$/g, ""));
  }
  return urls.get("origin") ?? urls.values().next().value;
}

/**
 * A canonical name for a remote, however its URL is written: `git@github.com:Ada/App.git` and
 * `https://user:password@github.com/Ada/App` both become `github.com/Ada/App`. Undefined for a local remote, whose URL is a
 * folder.
 */
export function normalizeRemote(url: string): string | undefined {
  if (/^(?:file:|\/|\.{1,2}\/|~|[A-Za-z]:[\\/])/.test(url)) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?(?<host>\[[^\]]+\]|[^:/]+)(?::\d+)?\/(?<path>.+)$/i.exec(url);
  const short = address === null ? /^(?:[^@/]+@)?(?<host>[^:/]+):(?<path>[^/].*|\/.+)$/.exec(url) : null;
  const { host, path } = (address ?? short)?.groups ?? {};
  if (host === undefined || path === undefined) return undefined;
  const plain = path
    .replace(/[?#].*/s, "")
    .replaceAll(/\/{2,}/g, "/")
    .replace(/^\/|\/$/g, "")
    .replace(/\.git$/i, "");
  return plain === "" ? undefined : `${host.toLowerCase()}/${plain}`;
}
