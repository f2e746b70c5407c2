import { dayFrom, partsOf, weekdayOf, type Day } from "./calendar-day.ts";
import type { DayPart, WordLanguage } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Which of `3/4` is the month; null if the language does not say. */
export type SlashOrder = "month-first" | "day-first" | null;

export interface DayContext {
  readonly today: Day;
  /** Decides what both languages write the same way. */
  readonly language: WordLanguage;
  readonly slashOrder: SlashOrder;
  /** With which day weeks begin; 0 is Monday. */
  readonly weekBegins: number;
  /** Whether dates without a year are of every year, so that none refers to what has happened. */
  readonly isYearly?: boolean;
  /** The local time in a number of minutes from now. */
  readonly wallClock: (minutesFromNow: number) => { readonly day: Day; readonly minutes: number };
}

export type DayKind =
  | "adverb"
  | "weekday"
  | "numeric"
  | "slash"
  | "month-day"
  | "ordinal"
  | "relative"
  | "week"
  | "period"
  | "end"
  | "holiday";

export interface DayRead {
  readonly count: number;
  /** Null for a day that is recognised but not what a task is due on, such as one in the past. */
  readonly day: Day | null;
  readonly kind: DayKind;
  readonly language: WordLanguage;
  /** Whether it is read only after a word such as "on", because it means something else as well. */
  readonly needsLead?: boolean;
  /** The day without a year is so recent that it refers to what has happened. */
  readonly isRecent?: boolean;
  readonly minutes?: number;
  /** A weekday that is today as well: today counts if the time beside it is still ahead. */
  readonly isTodayAsWell?: boolean;
  /** "EOD": that of a day beside it, or of today. */
  readonly isDayEnd?: boolean;
  readonly part?: DayPart;
}

/** How many days ago a date without a year refers to the past rather than to next year. */
const RECENT_DAYS = 90;
export const NEXT = /^(?:next|nxt|nächste[nrs]?|naechste[nrs]?)$/;
export const COMING = /^(?:coming|kommende[nrs]?)$/;
export const THIS = /^(?:this|diese[nrs]?)$/;

/** The first day of the week that a day is in. */
export function weekOf(day: Day, { weekBegins }: Pick<DayContext, "weekBegins">): Day {
  return day - ((weekdayOf(day) - weekBegins + 7) % 7);
}

/** The day of a week, which begins with `first`, with this weekday. */
export function dayOfWeek(first: Day, weekday: number): Day {
  return first + ((weekday - weekdayOf(first) + 7) % 7);
}

/** A word in lower case; empty for one that is not to be read. */
export function lowerAt(words: readonly Word[], index: number): string {
  const word = words[index];
  return word === undefined || word.isSigil || word.isProtected ? "" : word.lower;
}

/**
 * The day with this date. Without a year it is the next one, unless the last one was recently: then the text is about it. Null
 * if there is no such date.
 */
export function dateIn(
  { today, isYearly = false }: DayContext,
  { year, month, dayOfMonth }: { year: string | undefined; month: number; dayOfMonth: number },
): { day: Day | null; isRecent?: boolean } | null {
  if (year !== undefined) {
    const day = dayFrom(Number(year) + (year.length === 2 ? 2000 : 0), month, dayOfMonth);
    return day === null ? null : { day: day < today ? null : day };
  }
  const thisYear = partsOf(today).year;
  const lastDay = dayFrom(thisYear, month, dayOfMonth);
  if (lastDay !== null && lastDay >= today) return { day: lastDay };
  const before = lastDay ?? dayFrom(thisYear - 1, month, dayOfMonth);
  if (!isYearly && before !== null && today - before <= RECENT_DAYS) return { day: null, isRecent: true };
  for (let later = 1; later <= 8; later++) {
    const day = dayFrom(thisYear + later, month, dayOfMonth);
    if (day !== null) return { day };
  }
  return null;
}
