import { InvalidInputError } from "@workspace/core";

/** Whether a part of a URL can be decoded: each `%` begins an octet, and the octets are valid UTF-8. */
export function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Splits the URL of a request into its path and its query string, both undecoded. */
export function splitUrl(url: string): [path: string, queryString: string] {
  const start = url.indexOf("?");
  return start === -1 ? [url, ""] : [url.slice(0, start), url.slice(start + 1)];
}

/**
 * Throws {@link InvalidInputError} for a query string that cannot be decoded. Parsers replace what they cannot decode with
 * U+FFFD, so that different names become the same one.
 */
export function assertDecodableQuery(url: string): void {
  const [, queryString] = splitUrl(url);
  if (isDecodable(queryString)) return;
  throw new InvalidInputError("The query string is malformed. Send its text as percent-encoded UTF-8.");
}
