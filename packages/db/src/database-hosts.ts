/** What precedes the hosts in the URL of a database, the hosts, and the rest. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([/?#].*)?$/;

/**
 * The URLs of the servers that a URL such as `postgresql://user@one:5432,two:5432/name` names, in order; the URL itself if it names one, or
 * is none.
 */
export function urlPerHost(url: string): readonly [string, ...string[]] {
  const [, before = "", hosts = "", after = ""] = URL_PARTS.exec(url) ?? [];
  const [first = "", ...others] = hosts.split(",");
  if (others.length === 0) return [url];
  return [`${before}${first}${after}`, ...others.map((host) => `${before}${host}${after}`)];
}

/** A database as a URL, which may name several servers, of which one at a time accepts writes. */
export interface ExternalDatabase {
  readonly connectionString: string;
  /** Which of the servers all clients of this object try next: the one that last accepted writes. */
  readonly current: { index: number };
}

export function externalDatabase(connectionString: string): ExternalDatabase {
  return { connectionString, current: { index: 0 } };
}
