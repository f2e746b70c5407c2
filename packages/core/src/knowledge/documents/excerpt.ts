import { foldText } from "../../platform/fold-text.ts";

const BEFORE = 40;
const AFTER = 120;

/**
 * The text around the first occurrence of any of the words, on one line; null if there is none. Case folding can change the
 * length of a text, so the position may be slightly off after certain rare characters.
 */
export function findExcerpt(text: string, words: readonly string[]): string | null {
  const folded = foldText(text);
  const positions = words.map((word) => folded.indexOf(foldText(word))).filter((position) => position !== -1);
  if (positions.length === 0) return null;
  const first = Math.min(...positions);
  const start = Math.max(first - BEFORE, 0);
  const end = Math.min(first + AFTER, text.length);
  const line = text.slice(start, end).replaceAll(/\s+/g, " ").trim().toWellFormed();
  return `${start > 0 ? "… " : ""}${line}${end < text.length ? " …" : ""}`;
}
