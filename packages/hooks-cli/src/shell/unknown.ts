/**
 * In an expanded word, stands for every part whose text cannot be known before the command runs. U+FFFC, but not written as such:
 * the build would repeat its escape sequence wherever it is used.
 */
export const UNKNOWN = String.fromCodePoint(0xfffc);
