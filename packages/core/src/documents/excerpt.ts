import { foldText } from "../platform/fold-text.ts";

const BEFORE = 40;
const AFTER = 120;

/**
 * The surroundings of the first of several words in a text, on one line; null where none of them is in it. Folding can
 * change the length of a text, so the place is looked for in both forms and is right but for rare characters before it.
 */
export function findExcerpt(text: string, words: readonly string[]): string | null {
  const folded = foldText(text);
  const places = words.map((word) => folded.indexOf(foldText(word))).filter((place) => place !== -1);
  if (places.length === 0) return null;
  const place = Math.min(...places);
  const start = Math.max(place - BEFORE, 0);
  const end = Math.min(place + AFTER, text.length);
  const line = text.slice(start, end).replaceAll(/\s+/g, " ").trim().toWellFormed();
  return `${start > 0 ? "… " : ""}${line}${end < text.length ? " …" : ""}`;
}
