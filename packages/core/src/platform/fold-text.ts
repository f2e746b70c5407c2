/** Separates the fields of a search text; no input can contain it, because the edge refuses NUL and this is never typed. */
const FIELD_SEPARATOR = "\u001f";

/** Marks that are put on the letter before them; texts in nearly all languages have none or one of them in a row. */
const LONG_RUN_OF_MARKS = /(\p{M}{30})\p{M}+/gu;
const HAS_MARKS = /[\u0300-\uffff]/;

/** Composing sorts the marks of a letter, in time that grows with the square of their number. Thirty are enough for any. */
function boundMarks(text: string): string {
  return HAS_MARKS.test(text) ? text.replaceAll(LONG_RUN_OF_MARKS, "$1") : text;
}

/**
 * Folds case for all of Unicode, so that two texts which differ only in case become equal: "STRASSE" and "Straße",
 * "ΣΊΣΥΦΟΣ" and "σίσυφος". Composed and decomposed forms become equal too.
 */
export function foldText(text: string): string {
  // A capital ẞ stays what it is in capitals, and only its small form becomes SS.
  return boundMarks(text)
    .normalize("NFC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFC");
}

/** The text to store for searching in several fields at once. A match never spans two of them. */
export function toSearchText(...fields: readonly (string | null)[]): string {
  return foldText(fields.filter((field) => field !== null).join(FIELD_SEPARATOR));
}

/** A LIKE pattern that finds `query` anywhere in a stored search text; `%`, `_` and `\` are ordinary characters. */
export function toSearchPattern(query: string): string {
  return `%${escapeLike(foldText(query))}%`;
}

/** A LIKE pattern that finds what begins with `prefix` as it stands; `%`, `_` and `\` are ordinary characters. */
export function toPrefixPattern(prefix: string): string {
  return `${escapeLike(prefix)}%`;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
