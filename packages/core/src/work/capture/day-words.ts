import { monthsAfter } from "./calendar-day.ts";
import { readTime } from "./clock-time.ts";
import { dayOfMonth, dottedDay, isoDay, monthWithDay, slashedDay } from "./date-words.ts";
import { lowerAt, type DayContext, type DayRead } from "./day-read.ts";
import { endOfPeriod, holiday, period } from "./named-periods.ts";
import { ADVERB_DAYS, DAY_PARTS, NUMBER_WORDS, UNITS, type Unit, type WordLanguage } from "./vocabulary.ts";
import { weekday } from "./weekday-words.ts";
import type { Word } from "./words.ts";

const TOMORROW = /^(?:tomorrow|tmrw|tmr|tomorow)$/;

const READERS: readonly ((words: readonly Word[], index: number, context: DayContext) => DayRead | null)[] = [
  adverbDay,
  weekday,
  isoDay,
  dottedDay,
  slashedDay,
  holiday,
  dayOfMonth,
  monthWithDay,
  relativeDay,
  period,
  endOfPeriod,
];

/** Reads a day that begins at a word, without the preposition before it. */
export function readDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const word = words[index];
  if (word === undefined || word.isSigil || word.isProtected) return null;
  for (const reader of READERS) {
    const read = reader(words, index, context);
    if (read !== null) return weekAfter(words, index, read);
  }
  return null;
}

/** "Friday week" and "tomorrow week" are a week later in Britain. */
function weekAfter(words: readonly Word[], index: number, read: DayRead): DayRead {
  const { kind, language, count, day } = read;
  const isDay = kind === "weekday" || kind === "adverb";
  const word = words[index + count];
  const isWeek = language === "en" && isDay && lowerAt(words, index + count) === "week";
  const isLast =
    word?.endsPhrase === true ||
    words[index + count + 1] === undefined ||
    readTime(words, index + count + 1, null) !== null;
  return isWeek && isLast && day !== null ? { ...read, day: day + 7, count: count + 1 } : read;
}

function adverbDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const { today } = context;
  const first = lowerAt(words, index);
  const after = first === "day" ? 0 : 1;
  if ((after === 0 || first === "the") && lowerAt(words, index + after) === "day") {
    const isAfterTomorrow =
      lowerAt(words, index + after + 1) === "after" && TOMORROW.test(lowerAt(words, index + after + 2));
    return isAfterTomorrow ? { count: after + 3, day: today + 2, kind: "adverb", language: "en" } : null;
  }
  const thisPart = first === "this" ? DAY_PARTS.get(lowerAt(words, index + 1)) : undefined;
  if (thisPart !== undefined) return { count: 2, day: today, kind: "adverb", language: "en", part: thisPart };
  if (first === "later" && /^(?:today|tonight)$/.test(lowerAt(words, index + 1))) {
    const read = adverbDay(words, index + 1, context);
    return read === null ? null : { ...read, count: 2 };
  }
  const adverb = ADVERB_DAYS.get(first);
  if (adverb === undefined) return null;
  // Whether "heute Nacht" is before or after midnight is not certain.
  if (adverb.language === "de" && lowerAt(words, index + 1) === "nacht")
    return { count: 2, day: null, kind: "adverb", language: "de" };
  const { distance, language, part } = adverb;
  return { count: 1, day: today + distance, kind: "adverb", language, ...(part !== undefined && { part }) };
}

/** "in 3 days", "in einer halben Stunde", "2 weeks from now". */
function relativeDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const first = lowerAt(words, index);
  if (first === "in") {
    const amount = amountAt(words, index + 1);
    return amount === null ? null : after(context, 1 + amount.count, amount);
  }
  const amount = /^(?:\d|in|half)/.test(first) || NUMBER_WORDS.has(first) ? amountAt(words, index) : null;
  if (amount === null) return null;
  const between = lowerAt(words, index + amount.count);
  // "a week tomorrow", "a week on Monday"
  const isBritish = amount.unit === "week" && amount.number < 4 && first !== "in";
  const isDirect = isBritish && /^(?:today|tomorrow)$/.test(between);
  if (!isDirect && between !== "from" && !(isBritish && between === "on")) return null;
  const at = index + amount.count + (isDirect ? 0 : 1);
  if (/^(?:now|today)$/.test(lowerAt(words, at))) return after(context, amount.count + 2, amount);
  // "a week from Friday"
  const from = weekday(words, at, context) ?? adverbDay(words, at, context);
  const days = amount.unit === "week" ? 7 * amount.number : amount.unit === "day" ? amount.number : null;
  if (from === null || from.day === null || days === null) return null;
  return { count: at - index + from.count, day: from.day + days, kind: "relative", language: "en" };
}

interface Amount {
  readonly count: number;
  readonly number: number;
  readonly unit: Unit;
  /** Null if both languages write it this way. */
  readonly language: WordLanguage | null;
}

const SHORT_UNITS: ReadonlyMap<string, Unit> = new Map([
  ["h", "hour"],
  ["m", "minute"],
  ["d", "day"],
  ["w", "week"],
]);

function amountAt(words: readonly Word[], index: number): Amount | null {
  const [first, second, third] = [0, 1, 2].map((offset) => lowerAt(words, index + offset));
  if (first === "half" && second === "an" && third === "hour")
    return { count: 3, number: 30, unit: "minute", language: "en" };
  if (first === "einer" && second === "halben" && third === "stunde")
    return { count: 3, number: 30, unit: "minute", language: "de" };
  if (first === "einer" && second === "viertelstunde") return { count: 2, number: 15, unit: "minute", language: "de" };
  const [, joined, joinedUnit] = /^(\d{1,3})(h|hrs?|m|mins?|d|w|wks?)$/.exec(first ?? "") ?? [];
  const short = joined === undefined ? undefined : SHORT_UNITS.get(joinedUnit?.charAt(0) ?? "");
  if (short !== undefined && Number(joined) > 0 && lowerAt(words, index - 1) === "in")
    return { count: 1, number: Number(joined), unit: short, language: null };
  const number = /^\d{1,3}$/.test(first ?? "") ? Number(first) : NUMBER_WORDS.get(first ?? "");
  if (number !== undefined && /^fortnights?$/.test(second ?? ""))
    return { count: 2, number: 2 * number, unit: "week", language: "en" };
  const unit = UNITS.get(second ?? "");
  if (unit === undefined || number === undefined || number === 0) return null;
  const isGerman = /^(?:minuten|stunden?|std|tage?n?|wochen?|monate?n?|jahre?n?)$/.test(second ?? "");
  return { count: 2, number, unit, language: isGerman ? "de" : second === "min" || second === "minute" ? null : "en" };
}

function after(context: DayContext, count: number, { number, unit, language }: Amount): DayRead {
  const read = { count, kind: "relative", language: language ?? context.language } as const;
  const { today } = context;
  switch (unit) {
    case "minute":
    case "hour":
      return { ...read, ...context.wallClock(unit === "hour" ? number * 60 : number) };
    case "day":
      return { ...read, day: today + number };
    case "week":
      return { ...read, day: today + number * 7 };
    case "month":
      return { ...read, day: monthsAfter(today, number) };
    case "year":
      return { ...read, day: monthsAfter(today, number * 12) };
  }
}
