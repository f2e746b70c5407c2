/** Combining marks. In nearly every language a letter has at most one or two. */
const LONG_RUN_OF_MARKS = /(\p{M}{30})\p{M}+/gu;
const IS_ASCII = /^[\0-\x7f]*$/;
const HAS_MARKS = /[\u0300-\uffff]/;

/** Keeps at most 30 marks per letter: normalization sorts the marks of a letter in quadratic time. */
function limitMarks(text: string): string {
  return HAS_MARKS.test(text) ? text.replaceAll(LONG_RUN_OF_MARKS, "$1") : text;
}

/**
 * Folds case for all of Unicode, so that texts that differ only in case become equal: "STRASSE" and "Straße", "ΣΊΣΥΦΟΣ"
 * and "σίσυφος". Composed and decomposed forms become equal too.
 */
export function foldText(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  // Upper-casing leaves ẞ alone and only turns ß into SS, so the text is lower-cased first.
  return limitMarks(text)
    .normalize("NFC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFC");
}
