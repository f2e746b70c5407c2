import { dayFrom, firstOfMonth, monthsAfter, parseDay, partsOf, weekdayOf, type Day } from "./calendar-day.ts";
import { readTime } from "./clock-time.ts";
import { COMING, dateIn, dayOfWeek, lowerAt, NEXT, THIS, weekOf, type DayContext, type DayRead } from "./day-read.ts";
import { endOfPeriod, holiday, period } from "./named-periods.ts";
import {
  ADVERB_DAYS,
  DAY_PART_ENDINGS,
  DAY_PARTS,
  MONTHS,
  MONTHS_BEFORE_DAY,
  NUMBER_WORDS,
  TIME_LEADS,
  UNITS,
  WEEKDAYS,
  type DayPart,
  type Unit,
  type WordLanguage,
} from "./vocabulary.ts";
import type { Word } from "./words.ts";

const TOMORROW = /^(?:tomorrow|tmrw|tmr|tomorow)$/;
const YEAR = /^(?:19|20|21)\d{2}$/;

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

function weekday(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const { today, language } = context;
  const first = lowerAt(words, index);
  // "Realtor coming Thursday" says what the realtor does.
  const isVerb = first === "coming" && index > 0 && !/^(?:this|the|on|by|for)$/.test(lowerAt(words, index - 1));
  if (isVerb) return null;
  const modifier = NEXT.test(first) ? "next" : COMING.test(first) ? "coming" : THIS.test(first) ? "this" : null;
  const isAfterNext = /^übernächste[nrs]?$/.test(first);
  const word = words[modifier === null && !isAfterNext ? index : index + 1];
  if (word === undefined || word.isSigil || word.isProtected) return null;
  const { known, part } = weekdayIn(word.lower);
  if (known === undefined) return null;
  // "mo: Elternbrief"
  const isFirst = index === 0 || words[index - 1]?.endsPhrase === true;
  const isHeading = isFirst && word.endsPhrase && known.language === language && !/^(?:do|so)$/.test(word.lower);
  const isShort = known.isAmbiguous && known.language === "de" && !isHeading && !/^\p{Lu}/u.test(word.text);
  const isBeforeHours = isShort && language === "de" && isBeforeSpan(words, index);
  const isWeekday =
    language === "de" &&
    (isBeforeHours ||
      isBeforeClock(words, index) ||
      isDeadlineAt(words, index) ||
      isClearShort(words, index) ||
      isOfDate(words, index, known.weekday, context));
  if (isShort && !isWeekday) return null;
  const isClear = isHeading || isBeforeHours || (isShort && isClearShort(words, index));
  const week = weekOf(today, context);
  const coming = today + ((known.weekday - weekdayOf(today) + 6) % 7) + 1;
  if (isAfterNext) {
    // Some count from the coming one, others from that of the next week.
    const day = dayOfWeek(week + 7, known.weekday) === coming ? coming + 7 : null;
    return { count: 2, day, kind: "weekday", language: "de" };
  }
  const day =
    modifier === "next"
      ? dayOfWeek(week + 7, known.weekday)
      : modifier === "this"
        ? dayOfWeek(week, known.weekday)
        : coming;
  return {
    count: modifier === null ? 1 : 2,
    day: day < today ? null : day,
    kind: "weekday",
    language: known.language,
    needsLead: known.isAmbiguous && modifier === null && !isClear,
    ...(modifier === null && coming === today + 7 && { isTodayAsWell: true }),
    ...(part !== undefined && { part }),
  };
}

/** "nachtdienst sa 21 uhr", "elternabend mi 18:30", but not "so 21 uhr" */
function isBeforeClock(words: readonly Word[], index: number): boolean {
  const hasLead = TIME_LEADS.has(lowerAt(words, index + 1));
  const read = readTime(words, index + (hasLead ? 2 : 1), hasLead ? lowerAt(words, index + 1) : null);
  const last = lowerAt(words, index + (read?.count ?? 0) + (hasLead ? 1 : 0));
  const isClock = read !== null && /(?:uhr|h|^\d{1,2}:\d{2})$/.test(last);
  return isClock && lowerAt(words, index) !== "so" && words[index]?.endsPhrase === false;
}

/** "wertstoffhof sa 10-12 uhr", "flohmarkt sa 9 bis 13 uhr" */
function isBeforeSpan(words: readonly Word[], index: number): boolean {
  if (lowerAt(words, index) === "so" || words[index]?.endsPhrase !== false) return false;
  const [first, second, third, fourth] = [1, 2, 3, 4].map((offset) => lowerAt(words, index + offset));
  const isJoined = /^\d{1,2}[-–]\d{1,2}$/.test(first ?? "") && second === "uhr";
  return isJoined || (/^\d{1,2}$/.test(first ?? "") && second === "bis" && fourth === "uhr" && third !== "");
}

/** "anmeldung bis mo", but not "bis so" */
function isDeadlineAt(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  const isLast = next === undefined || next.isSigil || words[index]?.endsPhrase === true;
  return isLast && lowerAt(words, index - 1) === "bis" && lowerAt(words, index) !== "so";
}

/** "turnbeutel packen mo", "lohn zahlen am fr" and "oma anrufen so nachmittag", but not "das mache ich so" and "ruf mo an" */
function isClearShort(words: readonly Word[], index: number): boolean {
  if (words[index]?.endsPhrase === true) return false;
  const [word, next] = [lowerAt(words, index), words[index + 1]];
  if (/^(?:vormittag|nachmittag|abend)$/.test(next?.lower ?? "")) return true;
  if (word === "so") return false;
  if (/^(?:früh|mittag)$/.test(next?.lower ?? "")) return true;
  const isLast = next === undefined || next.isSigil;
  return lowerAt(words, index - 1) === "am" || (isLast && index > 1 && word !== "do");
}

/** "fr 4.12."; "so 4.12." only if that is a Sunday, because "so" is an adverb as well. */
function isOfDate(words: readonly Word[], index: number, weekday: number, context: DayContext): boolean {
  const read = dottedDay(words, index + 1, context) ?? monthWithDay(words, index + 1, context);
  const isDate = read !== null && read.language === "de" && read.needsLead !== true;
  if (!isDate || read.day === null) return false;
  return !/^(?:so|do)$/.test(lowerAt(words, index)) || weekdayOf(read.day) === weekday;
}

/** The weekday that a word names, and the part of the day in words such as "Freitagabend". */
export function weekdayIn(word: string): { known: ReturnType<typeof WEEKDAYS.get>; part?: DayPart } {
  const known = WEEKDAYS.get(word);
  if (known !== undefined) return { known };
  for (const [ending, part] of DAY_PART_ENDINGS) {
    const stem = word.endsWith(ending) ? WEEKDAYS.get(word.slice(0, -ending.length)) : undefined;
    if (stem?.isAmbiguous === false && stem.language === "de") return { known: stem, part };
  }
  return { known: undefined };
}

function isoDay(words: readonly Word[], index: number, { today }: DayContext): DayRead | null {
  const text = lowerAt(words, index);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = parseDay(text);
  return { count: 1, day: day === null || day < today ? null : day, kind: "numeric", language: "en" };
}

/** `3.4.`, `3.4.2027`, `3.4.27`, and `3.4` after a preposition. */
function dottedDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const match = /^(\d{1,2})\.(\d{1,2})(\.)?(\d{2}|\d{4})?$/.exec(lowerAt(words, index));
  if (match === null) return null;
  const [, dayText, monthText, dot, year] = match;
  if (dot === undefined && (year !== undefined || lowerAt(words, index + 1) === "uhr")) return null;
  const month = Number(monthText);
  if (month < 1 || month > 12) return null;
  const read = dateIn(context, { year, month, dayOfMonth: Number(dayText) });
  return read === null ? null : { count: 1, ...read, kind: "numeric", language: "de", needsLead: dot === undefined };
}

function slashedDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const match = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/.exec(lowerAt(words, index));
  if (match === null) return null;
  const [first, second] = [Number(match[1]), Number(match[2])];
  // In German "12/26" is a month of a year.
  if (context.language === "de" && second > 12) return null;
  const isMonthFirst =
    first > 12
      ? false
      : second > 12 || first === second
        ? true
        : context.slashOrder === null
          ? null
          : context.slashOrder === "month-first";
  const read =
    isMonthFirst === null
      ? { day: null }
      : dateIn(context, {
          year: match[3],
          month: isMonthFirst ? first : second,
          dayOfMonth: isMonthFirst ? second : first,
        });
  return read === null ? null : { count: 1, ...read, kind: "slash", language: "en" };
}

/** What is counted by ordinals. */
const COUNTED = /(?:tag|mittwoch|sonnabend|advent|stock|etage|klasse|versuch|platz|semester|quartal|halbjahr|woche)$/;

/** "3rd", "the 3rd" and "3." without a month: the next such day. */
function dayOfMonth(words: readonly Word[], index: number, { today }: DayContext): DayRead | null {
  const text = lowerAt(words, index);
  const match = /^(\d{1,2})(st|nd|rd|th|\.)$/.exec(text);
  const number = Number(match?.[1]);
  // "am 2. Tag", "am 1. Montag"
  if (match?.[2] === "." && COUNTED.test(lowerAt(words, index + 1))) return null;
  if (match === null || number < 1 || number > 31 || MONTHS.has(ofMonthAt(words, index + 1).name)) return null;
  const { year, month, dayOfMonth: current } = partsOf(today);
  let day: Day | null = null;
  for (let later = number > current ? 0 : 1; day === null && later < 4; later++) {
    const first = firstOfMonth(year, month + later);
    day = first === null ? null : dayFrom(partsOf(first).year, partsOf(first).month, number);
  }
  // On the 25th, "on the 25th" may mean today or the next month.
  const isToday = number === current;
  return {
    count: 1,
    day: isToday ? null : day,
    kind: "ordinal",
    language: match[2] === "." ? "de" : "en",
    needsLead: true,
  };
}

/** "Dec 1", "December 1st, 2027", "1 Dec", "1st of December", "1. Dezember 2027". */
function monthWithDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const first = lowerAt(words, index);
  const month = MONTHS.get(first);
  if (month !== undefined) {
    if (!MONTHS_BEFORE_DAY.has(first)) return null;
    const hasArticle = lowerAt(words, index + 1) === "the";
    const at = index + (hasArticle ? 2 : 1);
    const match = (hasArticle ? /^(\d{1,2})(?:st|nd|rd|th)$/ : /^(\d{1,2})(?:st|nd|rd|th)?$/).exec(lowerAt(words, at));
    if (match === null || /^(?:[ap]\.?m|uhr|o'clock)$/.test(lowerAt(words, at + 1))) return null;
    return withYear(
      words,
      index,
      at + 1,
      { month, dayOfMonth: Number(match[1]), language: "en", needsLead: hasArticle },
      context,
    );
  }
  const match = /^(\d{1,2})(st|nd|rd|th|\.)?$/.exec(first);
  if (match === null) return null;
  const { name, count } = ofMonthAt(words, index + 1);
  const named = MONTHS.get(name);
  if (named === undefined || words[index]?.endsPhrase === true) return null;
  const language = match[2] === "." || !MONTHS_BEFORE_DAY.has(name) ? "de" : "en";
  const fields = { month: named, dayOfMonth: Number(match[1]), language, needsLead: false } as const;
  return withYear(words, index, index + 1 + count, fields, context);
}

/** A month, also after "of". */
function ofMonthAt(words: readonly Word[], index: number): { name: string; count: number } {
  const first = lowerAt(words, index);
  return first === "of" ? { name: lowerAt(words, index + 1), count: 2 } : { name: first, count: 1 };
}

function withYear(
  words: readonly Word[],
  index: number,
  end: number,
  fields: { month: number; dayOfMonth: number; language: WordLanguage; needsLead: boolean },
  context: DayContext,
): DayRead | null {
  const year = YEAR.exec(lowerAt(words, end))?.[0];
  const { language, needsLead } = fields;
  const read = dateIn(context, { ...fields, year });
  const count = end - index + (year === undefined ? 0 : 1);
  return read === null ? null : { count, ...read, kind: "month-day", language, needsLead };
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
