/**
 * A canonical name for a remote, however its URL is written: `git@github.com:Ada/App.git` and
 * `https://user:password@www.github.com/Ada/App` both become `github.com/Ada/App`. Undefined for a local remote, whose URL is a
 * folder.
 */
export function normalizeRemote(url: string): string | undefined {
  if (/^(?:file:|\/|\.{1,2}\/|~|[A-Za-z]:[\\/])/.test(url)) return undefined;
  const address =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?(?:www\.)?(?<host>\[[^\]]+\]|[^:/]+)(?::\d+)?\/(?<path>.+)$/i.exec(url);
  const short = address === null ? /^(?:[^@/]+@)?(?<host>[^:/]+):(?<path>[^/].*|\/.+)$/.exec(url) : null;
  const { host, path } = (address ?? short)?.groups ?? {};
  if (host === undefined || path === undefined) return undefined;
  const plain = path
    .replace(/[?#].*/s, "")
    .replaceAll(/\/{2,}/g, "/")
    .replace(/^\/|(?:\.git)?\/?$/gi, "");
  return plain === "" ? undefined : `${host.toLowerCase()}/${plain}`;
}
