import type { Moment } from "./moments.ts";
import { PHRASE_STARTS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** "9-11", "9:30am-10": the beginning and the end of a span of time */
export const TIME_SPAN = /^\d{1,2}(?:[:.]\d{2})?(?:am|pm)?[-–]\d/;

/** Whether nothing follows that the moment could describe. */
export function isPhraseEnd(moment: Moment, words: readonly Word[]): boolean {
  const next = words[moment.to];
  if (isClosed(moment, words) || next === undefined) return true;
  // "sunday 9"
  if (/^\d{1,2}(?:[:.]\d{2})?$/.test(next.lower) && isLastIn(words, moment.to)) return true;
  const isSpan = /^\d{1,2}$/.test(next.lower) && /^(?:to|bis)$/.test(words[moment.to + 1]?.lower ?? "");
  return PHRASE_STARTS.has(next.lower) || TIME_SPAN.test(next.lower) || isSpan;
}

function isLastIn(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  return next === undefined || next.isSigil || words[index]?.endsPhrase === true;
}

/** Whether the text, or its sentence, ends here. */
export function isClosed(moment: Moment, words: readonly Word[]): boolean {
  const next = words[moment.to];
  return next === undefined || next.isSigil || pausesAfter(moment, words);
}

function pausesAfter(moment: Moment, words: readonly Word[]): boolean {
  return words[moment.to - 1]?.endsPhrase === true;
}
