import { readTime } from "./clock-time.ts";
import { lowerAt } from "./day-read.ts";
import { TIME_LEADS, type DayPart } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** The weekdays from Monday on, as RFC 5545 names them. */
export const RULE_DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
/** The words that begin a repetition. */
export const EVERY = /^(?:every|each|jede[nrsm]?|alle)$/;

/** A recurrence rule that was read, without "FREQ=" and without when it ends. */
export interface RuleRead {
  /** How many words were read. */
  readonly count: number;
  readonly rule: string;
  /** The part of the day, which decides what hour is meant. */
  readonly part?: DayPart | undefined;
  /** The time of day that is part of its words, as in "jeden Freitagabend". */
  readonly minutes?: number | undefined;
}

/** How many words "of the month" has here. */
export function ofMonthAt(words: readonly Word[], index: number): number {
  const [first, second, third] = [lowerAt(words, index), lowerAt(words, index + 1), lowerAt(words, index + 2)];
  if (/^(?:im monat|des monats|jede[sn] monats)$/.test(`${first} ${second}`)) return 2;
  return /^(?:of|in) (?:the|every|each) month$/.test(`${first} ${second} ${third}`) ? 3 : 0;
}

/** The value of `BYDAY` for weekdays, which are counted from Monday. */
export function namesOf(days: readonly number[]): string {
  const sorted = [...new Set(days)].toSorted((a, b) => a - b);
  return sorted.map((day) => RULE_DAYS[day]).join(",");
}

/** Whether a time of day begins at a word, with or without a preposition. */
export function isTimeAt(words: readonly Word[], index: number): boolean {
  const lead = lowerAt(words, index);
  return (TIME_LEADS.has(lead) ? readTime(words, index + 1, lead) : readTime(words, index, null)) !== null;
}

/** Whether nothing follows a word but a time, a tag or a new phrase. */
export function isFollowedByTime(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  if (next === undefined || next.isSigil || words[index]?.endsPhrase === true) return true;
  return TIME_LEADS.has(next.lower) || readTime(words, index + 1, null) !== null;
}
