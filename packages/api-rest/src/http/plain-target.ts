import { InvalidInputError } from "@workspace/core";

/** Matches nearly all targets, those that are plain by their characters alone, in a fraction of a microsecond. */
const USUAL = /^(?:\/[\w-]+)+(?:\?[!"$-~]*)?$/;
const PATH_OF_ONE_SLASH = /^\/(?!\/)/;
const BACKSLASH_OR_DOT_SEGMENT = /^[^?]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?]|$))/i;
const FRAGMENT_OR_NOT_ASCII = /[^!-"$-~]/;

/**
 * Refuses an ambiguous request target, which different parsers may read differently: the absolute form and `//host/path`,
 * backslashes and dot segments (including encoded ones) in the path, a fragment, and bytes that are not printable ASCII.
 * Browsers and HTTP clients resolve or encode all of these before sending. Throws {@link InvalidInputError}.
 */
export function assertPlainTarget(target: string): void {
  if (USUAL.test(target)) return;
  const isPlain =
    PATH_OF_ONE_SLASH.test(target) && !BACKSLASH_OR_DOT_SEGMENT.test(target) && !FRAGMENT_OR_NOT_ASCII.test(target);
  if (isPlain) return;
  throw new InvalidInputError(
    "The URL is ambiguous. Send a path that begins with one slash, in ASCII, without backslashes, dot segments or a fragment.",
  );
}
