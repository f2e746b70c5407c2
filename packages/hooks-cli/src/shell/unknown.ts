/**
 * In an expanded word, stands for every part whose text cannot be known before the command runs. U+FFFC, but not written as such:
 * the build would repeat its escape sequence wherever it is used.
 */
export const UNKNOWN = String.fromCodePoint(0xfffc);

/** Stands for any number of names that something else will print: `$(git ls-files)`, the input of `xargs`. */
export const UNSEEN = UNKNOWN + String.fromCodePoint(0xfffb);

/** Whether nothing is known of a word. */
export function isUnknown(text: string): boolean {
  return text === UNKNOWN || text === UNSEEN;
}

/** A text as people are shown it. */
export function withoutMarks(text: string): string {
  return text.replaceAll(UNSEEN, "*").replaceAll(UNKNOWN, "…");
}
