import { isFiller } from "../../assistants/memory/list-words.ts";
import { foldText } from "../../platform/fold-text.ts";
import type { SearchQuery } from "../../platform/search/search-query.ts";

/** A part of a text, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const TOKEN = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED_PAIR =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,2}$/u;
/** Forms of a word begin alike, and have endings of so many letters at most. */
const MIN_COMMON = 4;
const MAX_ENDING = 4;
const MAX_EDITS = 2;
const MIN_FILLER = 3;
/** Longer ones are no words of a language. */
const MAX_COMPARED = 40;

/** A word that is looked for in a text. */
export interface WantedWord {
  readonly text: string;
  /** Whether it may be the beginning of another one. */
  readonly isUnfinished: boolean;
}

/** The words of a query as a text shows them: identifiers by their parts. */
export function wantedWords({ words, unfinishedWord }: SearchQuery): WantedWord[] {
  // Fillers are in every text. Short words may be abbreviations.
  const telling = words.filter(({ text }) => text.length < MIN_FILLER || !isFiller(text));
  return (telling.length === 0 ? words : telling).flatMap(({ text, parts }) => {
    const last = parts.at(-1);
    return (parts.length === 0 ? [{ text }] : parts).map((part) => ({
      text: part.text,
      isUnfinished: text === unfinishedWord && (last === undefined || part === last),
    }));
  });
}

/** Where any of the words occurs in a text, in whatever form; misspelt only if it does not occur otherwise. */
export function matchedRanges(text: string, words: readonly WantedWord[]): { ranges: TextRange[]; found: Set<number> } {
  const tokens = [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({
    folded: foldText(token),
    start: index,
    end: index + token.length,
  }));
  const ranges: TextRange[] = [];
  const found = new Set<number>();
  words.forEach((word, number) => {
    const own = UNSPACED_PAIR.test(word.text)
      ? placesOf(text, word.text)
      : ([isFormOf, isLike] as const)
          .map((matches) => tokens.filter(({ folded }) => matches(folded, word)))
          .find((matching) => matching.length > 0);
    if (own === undefined || own.length === 0) return;
    found.add(number);
    for (const { start, end } of own) ranges.push({ start, end });
  });
  return { ranges: merged(ranges), found };
}

function isFormOf(token: string, { text, isUnfinished }: WantedWord): boolean {
  if (token === text || (isUnfinished && token.startsWith(text))) return true;
  const common = commonLength(token, text);
  return (
    common >= Math.max(MIN_COMMON, text.length - MAX_ENDING) &&
    token.length - common <= MAX_ENDING &&
    common * 2 > Math.max(token.length, text.length)
  );
}

/** Whether a token may be what a misspelt word stands for, as the search corrects spelling. */
function isLike(token: string, { text }: WantedWord): boolean {
  if (text.length < MIN_COMMON || token.length > MAX_COMPARED || text.length > MAX_COMPARED) return false;
  if (token.slice(0, 2) !== text.slice(0, 2)) return false;
  return edits(token, text) <= (text.length > MIN_COMMON + 1 ? MAX_EDITS : 1);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** How many letters have to be added, left out or replaced to make one word of the other. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 1; index <= one.length; index += 1) {
    const next = [index];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (one[index - 1] === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

function placesOf(text: string, word: string): TextRange[] {
  const places: TextRange[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    places.push({ start: at, end: at + word.length });
  }
  return places;
}

function merged(ranges: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last === undefined || range.start > last.end) result.push(range);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return result;
}
