import type { IncomingHttpHeaders } from "node:http";
import { matchesEntityTag } from "@workspace/core";
import { matchesNone, readIfMatch } from "../rest/entity-tag.ts";

/** What conditions compare: a file's entity tag, with quotes, and its modification time. */
export interface FileState {
  readonly etag: string;
  readonly modifiedMs: number;
}

const SECOND_MS = 1000;

/**
 * Evaluates the conditions of a reading request in the order of RFC 9110, section 13.2.2: entity tags take precedence over
 * times, and preconditions over the conditions of caches.
 */
export function evaluateConditions(
  headers: IncomingHttpHeaders,
  { etag, modifiedMs }: FileState,
): "met" | "failed" | "not_modified" {
  const expected = readIfMatch(headers["if-match"]);
  const unmodifiedSinceMs = parseHttpDate(headers["if-unmodified-since"]);
  if (expected !== undefined) {
    if (!matchesEntityTag(expected, etag.slice(1, -1))) return "failed";
  } else if (unmodifiedSinceMs !== null && toWholeSecond(modifiedMs) > unmodifiedSinceMs) return "failed";

  const known = headers["if-none-match"];
  if (known !== undefined) return matchesNone(known, etag) ? "not_modified" : "met";
  const modifiedSinceMs = parseHttpDate(headers["if-modified-since"]);
  return modifiedSinceMs !== null && toWholeSecond(modifiedMs) <= modifiedSinceMs ? "not_modified" : "met";
}

/**
 * Whether `If-Range` matches the current file, so that the client can combine the range with the part it has; true without the
 * header. A time only matches if it is exact and old enough that the file cannot have changed twice within that second.
 */
export function isRangeCurrent(header: string | undefined, { etag, modifiedMs }: FileState): boolean {
  if (header === undefined || header === etag) return true;
  return parseHttpDate(header) === toWholeSecond(modifiedMs) && Date.now() - modifiedMs > SECOND_MS;
}

/** `Sun, 06 Nov 1994 08:49:37 GMT` in milliseconds; null for anything else, which must be ignored. */
function parseHttpDate(text: string | undefined): number | null {
  if (text?.endsWith(" GMT") !== true) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** Times in headers have no milliseconds. */
function toWholeSecond(ms: number): number {
  return Math.floor(ms / SECOND_MS) * SECOND_MS;
}
