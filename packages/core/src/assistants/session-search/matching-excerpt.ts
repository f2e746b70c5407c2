import { foldText } from "../../platform/fold-text.ts";

const EXCERPT_CHARS = 240;
/** So much of a text is looked through, and so many places of a word. */
const MAX_SEARCHED_CHARS = 10_000;
const MAX_PLACES = 4;
/** A word is recognised in another form by its beginning. */
const MIN_STEM_LENGTH = 3;
const MAX_ENDING = 3;

/** The part of a text, on one line, in which most of the words occur, in whatever form. */
export function matchingExcerpt(text: string, words: readonly string[]): string {
  const line = text.slice(0, MAX_SEARCHED_CHARS).replaceAll(/\s+/g, " ").trim();
  if (line.length <= EXCERPT_CHARS) return line.toWellFormed();
  const folded = foldText(line);
  // Folding may change lengths; places are then only roughly right, which is good enough.
  const places = words.flatMap((word, index) => placesOf(folded, stemOf(word)).map((at) => ({ at, index })));
  const countFrom = (start: number): number =>
    new Set(places.filter(({ at }) => at >= start && at < start + EXCERPT_CHARS).map(({ index }) => index)).size;
  const best = places
    .map(({ at }) => ({ at, count: countFrom(at) }))
    .reduce((one, other) => (other.count > one.count ? other : one), { at: 0, count: 0 });
  const start = Math.max(0, Math.min(best.at - EXCERPT_CHARS / 4, line.length - EXCERPT_CHARS));
  const end = Math.min(line.length, start + EXCERPT_CHARS);
  return `${start > 0 ? "…" : ""}${line.slice(start, end).toWellFormed()}${end < line.length ? "…" : ""}`;
}

function stemOf(word: string): string {
  return word.slice(0, Math.max(MIN_STEM_LENGTH, word.length - MAX_ENDING));
}

function placesOf(text: string, stem: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(stem); at !== -1 && places.length < MAX_PLACES; at = text.indexOf(stem, at + 1)) {
    places.push(at);
  }
  return places;
}
