import { foldText } from "../../platform/fold-text.ts";
import { MAX_SEARCHED_CHARACTERS } from "../../platform/search/searched-row.ts";
import { matchedRanges, type TextRange, type WantedWord } from "./matched-words.ts";
import { plainText } from "../../platform/plain-text.ts";

const EXCERPT_CHARACTERS = 240;
/** So much of a text is freed from its markup, around the place where most words stand. */
const PIECE_CHARACTERS = 2_000;
/** So many places of a word are compared. */
const MAX_PLACES = 8;
/** A word in another form is found by its beginning. */
const MIN_BEGINNING = 3;
const MAX_ENDING = 3;
const MAX_TITLE_CHARACTERS = 300;

/** A text to show, and where the words of the query stand in it. */
export interface MarkedText {
  readonly text: string;
  readonly matches: readonly TextRange[];
}

/** A title on one line. */
export function markedTitle(title: string, words: readonly WantedWord[]): MarkedText {
  const line = title.replaceAll(/\s+/g, " ").trim();
  const text = line.length <= MAX_TITLE_CHARACTERS ? line : `${line.slice(0, MAX_TITLE_CHARACTERS).toWellFormed()}…`;
  return { text, matches: matchedRanges(text, words).ranges };
}

/** The part of a text in which most of the words stand; its beginning if there are none, and null without text. */
export function markedExcerpt(whole: string, words: readonly WantedWord[]): MarkedText | null {
  const text = plainText(pieceWith(whole.slice(0, MAX_SEARCHED_CHARACTERS), words));
  if (text === "") return null;
  const { ranges } = matchedRanges(text, words);
  const found = ranges.map(({ start, end }) => ({ start, end, word: foldText(text.slice(start, end)) }));
  const countFrom = (from: number) =>
    new Set(found.filter(({ start, end }) => start >= from && end <= from + EXCERPT_CHARACTERS).map(({ word }) => word))
      .size;
  const best = ranges
    .map(({ start }) => ({ start, count: countFrom(start) }))
    .reduce((one, other) => (other.count > one.count ? other : one), { start: 0, count: 0 });
  const from = startOfWord(
    text,
    Math.max(0, Math.min(best.start - EXCERPT_CHARACTERS / 4, text.length - EXCERPT_CHARACTERS)),
  );
  const to = Math.min(text.length, from + EXCERPT_CHARACTERS);
  const before = from > 0 ? "…" : "";
  const after = to < text.length ? "…" : "";
  return {
    text: `${before}${text.slice(from, to).toWellFormed()}${after}`,
    matches: ranges
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => ({ start: start - from + before.length, end: end - from + before.length })),
  };
}

/** A piece of a long text with most of the words. Folding may change lengths: its place is then only roughly right. */
function pieceWith(text: string, words: readonly WantedWord[]): string {
  if (text.length <= PIECE_CHARACTERS) return text;
  const lower = text.toLowerCase();
  const places = words.flatMap(({ text: word }, number) =>
    placesOf(lower, beginningOf(word)).map((at) => ({ at, number })),
  );
  const countFrom = (start: number) =>
    new Set(places.filter(({ at }) => at >= start && at < start + EXCERPT_CHARACTERS).map(({ number }) => number)).size;
  const best = places
    .map(({ at }) => ({ at, count: countFrom(at) }))
    .reduce((one, other) => (other.count > one.count ? other : one), { at: 0, count: 0 });
  const start = Math.max(0, Math.min(best.at - PIECE_CHARACTERS / 2, text.length - PIECE_CHARACTERS));
  // Markup that begins before the piece would look like text.
  const line = start === 0 ? 0 : text.indexOf("\n", start) + 1;
  const from = line > start && line <= best.at ? line : start;
  return text.slice(from, from + PIECE_CHARACTERS);
}

function beginningOf(word: string): string {
  return word.slice(0, Math.max(MIN_BEGINNING, word.length - MAX_ENDING));
}

function placesOf(text: string, word: string): number[] {
  const places: number[] = [];
  for (
    let at = text.indexOf(word);
    at !== -1 && places.length < MAX_PLACES;
    at = text.indexOf(word, at + word.length)
  ) {
    places.push(at);
  }
  return places;
}

/** The next place at which a word begins, unless that is far. */
function startOfWord(text: string, at: number): number {
  const space = at === 0 ? -1 : text.slice(at, at + 40).search(/\s/);
  return space === -1 ? Math.round(at) : Math.round(at) + space + 1;
}
