import { InvalidInputError } from "@workspace/core";

/** Nearly every target: plain by its characters alone, and told so in a fraction of a microsecond. */
const USUAL = /^(?:\/[\w-]+)+(?:\?[!"$-~]*)?$/;
const PATH_OF_ONE_SLASH = /^\/(?!\/)/;
const BACKSLASH_OR_DOT_SEGMENT = /^[^?]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?]|$))/i;
const FRAGMENT_OR_NOT_ASCII = /[^!-"$-~]/;

/**
 * Refuses a request target that one reader may take for another address than the next one does: the absolute form and
 * `//host/path`, backslashes and dot segments (encoded ones too) in the path, a fragment, and bytes that are not printable
 * ASCII. Browsers and HTTP clients resolve or encode all of these before they send. Throws {@link InvalidInputError}.
 */
export function assertPlainTarget(target: string): void {
  if (USUAL.test(target)) return;
  const isPlain =
    PATH_OF_ONE_SLASH.test(target) && !BACKSLASH_OR_DOT_SEGMENT.test(target) && !FRAGMENT_OR_NOT_ASCII.test(target);
  if (isPlain) return;
  throw new InvalidInputError(
    "The address can be read in more than one way. Send a path that begins with one slash, in ASCII, without backslashes, dot segments or a fragment.",
  );
}
