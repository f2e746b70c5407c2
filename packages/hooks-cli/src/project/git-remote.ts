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
