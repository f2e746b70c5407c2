import { partsOf, type Day } from "./calendar-day.ts";
import { readTime } from "./clock-time.ts";
import { lowerAt, type DayContext } from "./day-read.ts";
import type { WordRange } from "./moments.ts";
import { readDay, weekdayIn } from "./day-words.ts";
import { isFromCompletionAt, readTail } from "./repeat-tail.ts";
import {
  BLOCKING,
  DAY_PARTS,
  MONTHS,
  NUMBERED,
  NUMBER_WORDS,
  TIME_LEADS,
  UNITS,
  WEEKDAYS,
  type DayPart,
  type Unit,
} from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** How often a task is to be done again. */
export interface Repeat extends WordRange {
  /** An iCalendar recurrence rule (RFC 5545), without a start. */
  readonly rule: string;
  /** The days of the week or the month that it names; empty if it names none. */
  readonly days: readonly number[];
  readonly monthDay: number | null;
  /** The time of day, in minutes since midnight. */
  readonly minutes: number | null;
  /** The first day that is named, such as in "from Monday". */
  readonly start: Day | null;
  /** Whether it counts from when the task was done last. */
  readonly isFromCompletion: boolean;
}

const RULE_DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const EVERY = /^(?:every|each|jede[nrsm]?|alle)$/;
const SECOND = /^(?:other|second|2nd|zweite[nrs]?)$/;
const THIRD_OR_LATER: ReadonlyMap<string, number> = new Map(
  ["third 3rd dritte dritten drittes", "fourth 4th vierte vierten viertes", "fifth 5th fünfte fünften fünftes"].flatMap(
    (forms, index) => forms.split(" ").map((form) => [form, index + 3] as const),
  ),
);
const ORDINALS: ReadonlyMap<string, number> = new Map(
  [
    "first 1st ersten erster 1.",
    "second 2nd zweiten zweiter 2.",
    "third 3rd dritten dritter 3.",
    "fourth 4th vierten vierter 4.",
  ].flatMap((forms, index) => forms.split(" ").map((form) => [form, index + 1] as const)),
)
  .set("last", -1)
  .set("letzten", -1)
  .set("letzter", -1);
const AND = /^(?:and|und|&)$/;
const THROUGH = /^(?:to|through|thru|bis)$/;
const FREQUENCY: Readonly<Record<Unit, string | null>> = {
  minute: null,
  hour: null,
  day: "DAILY",
  week: "WEEKLY",
  month: "MONTHLY",
  year: "YEARLY",
};
const WORKDAYS = "WEEKLY;BYDAY=MO,TU,WE,TH,FR";
/** What "every" makes a rule of. */
const PERIODS: ReadonlyMap<string, string> = new Map([
  ...["weekday", "workday", "werktag", "wochentag", "arbeitstag"].map((word) => [word, WORKDAYS] as const),
  ...["morning", "noon", "afternoon", "evening", "night", "morgen", "mittag", "nachmittag", "abend"].map(
    (word) => [word, "DAILY"] as const,
  ),
  ...["weekend", "wochenende"].map((word) => [word, "WEEKLY;BYDAY=SA"] as const),
  ...["quarter", "quartal"].map((word) => [word, "MONTHLY;INTERVAL=3"] as const),
  ["fortnight", "WEEKLY;INTERVAL=2"],
]);
const ADVERBS: ReadonlyMap<string, string> = new Map([
  ["daily", "DAILY"],
  ["weekly", "WEEKLY"],
  ["fortnightly", "WEEKLY;INTERVAL=2"],
  ["monthly", "MONTHLY"],
  ["quarterly", "MONTHLY;INTERVAL=3"],
  ["yearly", "YEARLY"],
  ["annually", "YEARLY"],
  ["täglich", "DAILY"],
  ["wöchentlich", "WEEKLY"],
  ["monatlich", "MONTHLY"],
  ["vierteljährlich", "MONTHLY;INTERVAL=3"],
  ["halbjährlich", "MONTHLY;INTERVAL=6"],
  ["jährlich", "YEARLY"],
]);
const ON_WORKDAYS = /^(?:weekdays|workdays|werktags|wochentags)$/;

/** Reads a repetition that begins at a word, such as "every 2 weeks" or "jeden Montag um 7 Uhr". */
export function readRepeat(
  words: readonly Word[],
  index: number,
  context: DayContext,
  { isAlone = false } = {},
): Repeat | null {
  const found =
    weekdayOfMonth(words, index) ??
    onWeekdays(words, index, isAlone) ??
    every(words, index, context) ??
    monthDay(words, index) ??
    lastDayOfMonth(words, index) ??
    adverb(words, index, isAlone);
  if (found === null) return null;
  const { count, rule, part = null, minutes = null } = found;
  const { end, ...tail } = readTail(words, index + count, { ...context, part });
  // "every night at 2"
  if (part !== null && minutes === null && tail.minutes === null && isTimeAt(words, tail.to)) return null;
  const [, names = ""] = /^WEEKLY.*BYDAY=([A-Z,]+)$/.exec(rule) ?? [];
  const [, day] = /BYMONTHDAY=(\d+)$/.exec(rule) ?? [];
  return {
    ...tail,
    minutes: tail.minutes ?? minutes,
    from: index,
    rule: `FREQ=${rule}${end}`,
    days: names === "" ? [] : names.split(",").map((name) => RULE_DAYS.indexOf(name)),
    monthDay: day === undefined ? null : Number(day),
  };
}

/** Whether words say that something is repeated, or when it is not, in a way that {@link readRepeat} does not read. */
export function mentionsRepeat(words: readonly Word[]): boolean {
  return words.some((_, index) => {
    const [first, second, third] = [0, 1, 2].map((offset) => lowerAt(words, index + offset));
    if (first === undefined || second === undefined || third === undefined) return false;
    const isPer = /^(?:per|pro|a|an|die|im|am)$/.test(second) && UNITS.has(third);
    if (isPer || ADVERBS.has(second)) return isOften(words, index);
    if (ADVERBS.has(first) && inMonth(words, index + 1)) return true;
    if (ON_WORKDAYS.test(first)) return true;
    if (!EVERY.test(first)) return false;
    const isCounted =
      /^\d/.test(second) || NUMBER_WORDS.has(second) || SECOND.test(second) || THIRD_OR_LATER.has(second);
    const named = isCounted ? third : second;
    return (
      UNITS.has(named) ||
      PERIODS.has(named) ||
      WEEKDAYS.has(named) ||
      MONTHS.has(named) ||
      /^(?:monats|jahres)$/.test(named)
    );
  });
}

const OFTEN = /^(?:\d+x?|\d*mal|once|twice|times|einmal|zweimal|dreimal|viermal)$/;

/** Whether a word says how many times, as in "3x täglich", unlike the number in "Zimmer 204 täglich". */
function isOften(words: readonly Word[], index: number): boolean {
  return OFTEN.test(lowerAt(words, index)) && !NUMBERED.has(lowerAt(words, index - 1));
}

export const EXCEPT = /^(?:except|außer|ausser|excluding)$/;

interface Found {
  readonly count: number;
  readonly rule: string;
  /** The part of the day, which decides what hour is meant. */
  readonly part?: DayPart | undefined;
  /** The time of day that is part of its words, as in "jeden Freitagabend". */
  readonly minutes?: number | undefined;
}

function every(words: readonly Word[], index: number, context: DayContext): Found | null {
  if (!EVERY.test(lowerAt(words, index))) return null;
  const { count, number } = intervalAt(words, index + 1);
  const at = index + 1 + count;
  const word = lowerAt(words, at);
  const interval = number === 1 ? "" : `;INTERVAL=${number}`;
  // "the first Sunday but one of every month"
  if (lowerAt(words, index - 1) === "of") return null;
  const frequency = FREQUENCY[UNITS.get(word) ?? "minute"];
  if (number === 0) return null;
  const named = frequency === "WEEKLY" ? onWeekdays(words, at + 1, false) : null;
  if (named !== null) return { count: at + 1 + named.count - index, rule: named.rule.replace(";", `${interval};`) };
  if (frequency !== null && (count > 0 || lowerAt(words, index) !== "alle"))
    return inMonth(words, at + 1) ? null : { count: at + 1 - index, rule: `${frequency}${interval}` };
  // "every 3rd Friday" may be that of the month.
  if (number > 2 || lowerAt(words, index) === "alle") return null;
  const period = count === 0 ? PERIODS.get(word) : undefined;
  if (period !== undefined && inMonth(words, at + 1)) return null;
  if (period !== undefined)
    return { count: 2, rule: period, part: DAY_PARTS.get(word === "morgen" ? "morgens" : word) };
  const date = count === 0 ? readDay(words, at, { ...context, isYearly: true }) : null;
  if (date?.kind === "month-day" && date.day !== null) {
    const { month, dayOfMonth } = partsOf(date.day);
    return { count: 1 + date.count, rule: `YEARLY;BYMONTH=${month};BYMONTHDAY=${dayOfMonth}` };
  }
  const day = dayOfMonthAt(words, index + 1);
  if (day !== null && !MONTHS.has(lowerAt(words, index + 2)) && weekdays(words, index + 2) === null)
    return { count: 2 + ofMonthAt(words, index + 2), rule: `MONTHLY;BYMONTHDAY=${day}` };
  const { known, part } = weekdayIn(lowerAt(words, at));
  if (known !== undefined && part !== undefined) {
    const rule = `WEEKLY${interval};BYDAY=${namesOf([known.weekday])}`;
    return { count: at + 1 - index, rule, part, minutes: part.minutes };
  }
  const days = weekdays(words, at);
  return days === null ? null : { count: at - index + days.count, rule: `WEEKLY${interval};BYDAY=${days.names}` };
}

/** "every year in November" names no day. */
function inMonth(words: readonly Word[], index: number): boolean {
  return /^(?:in|im)$/.test(lowerAt(words, index)) && MONTHS.has(lowerAt(words, index + 1));
}

/** "2", "two", "other", "third": how many periods are between two dates. */
function intervalAt(words: readonly Word[], index: number): { count: number; number: number } {
  const word = lowerAt(words, index);
  const isUnit = UNITS.has(lowerAt(words, index + 1));
  if (SECOND.test(word) && (isUnit || word !== "2nd" || weekdays(words, index + 1) !== null))
    return { count: 1, number: 2 };
  const number = /^\d{1,3}$/.test(word)
    ? Number(word)
    : (THIRD_OR_LATER.get(word) ?? (word.length > 2 ? NUMBER_WORDS.get(word) : undefined));
  return isUnit && number !== undefined ? { count: 1, number } : { count: 0, number: 1 };
}

/** "the first Monday of every month", "jeden letzten Freitag im Monat"; of the month is understood after "every first" and "last". */
function weekdayOfMonth(words: readonly Word[], index: number): Found | null {
  const isEvery = EVERY.test(lowerAt(words, index));
  const hasLead = isEvery || /^(?:the|am|on)$/.test(lowerAt(words, index));
  const at = index + (lowerAt(words, index + 1) === "the" ? 2 : hasLead ? 1 : 0);
  const ordinal = ORDINALS.get(lowerAt(words, at));
  const named = WEEKDAYS.get(lowerAt(words, at + 1));
  if (ordinal === undefined || named === undefined) return null;
  const count = ofMonthAt(words, at + 2);
  // "first Friday of the month" may be the one of this month.
  if (!hasLead && !/^(?:every|each|jede[sn])$/.test(lowerAt(words, at + 1 + Math.max(count - 1, 1)))) return null;
  if (count === 0 && !(isEvery && Math.abs(ordinal) === 1)) return null;
  return { count: at + 2 + count - index, rule: `MONTHLY;BYDAY=${ordinal}${RULE_DAYS[named.weekday] ?? ""}` };
}

/** How many words "of the month" has here. */
function ofMonthAt(words: readonly Word[], index: number): number {
  const [first, second, third] = [lowerAt(words, index), lowerAt(words, index + 1), lowerAt(words, index + 2)];
  if (/^(?:im monat|des monats|jede[sn] monats)$/.test(`${first} ${second}`)) return 2;
  return /^(?:of|in) (?:the|every|each) month$/.test(`${first} ${second} ${third}`) ? 3 : 0;
}

/** "Tuesday and Thursday", "mon, wed and fri", "mon/wed", "Monday to Friday", "Mo-Fr". */
function weekdays(words: readonly Word[], index: number): { count: number; names: string } | null {
  const days: number[] = [];
  let at = index;
  for (;;) {
    const isRange = days.length === 1 && THROUGH.test(lowerAt(words, at));
    const start = days.length > 0 && (isRange || AND.test(lowerAt(words, at))) ? at + 1 : at;
    const named = weekdaysIn(lowerAt(words, start));
    const isFurther = days.length === 0 || start > at || words[at - 1]?.endsPhrase === true;
    if (named === null || !isFurther) break;
    const [first, last] = [days[0] ?? 0, named[0] ?? 0];
    if (isRange) for (let day = first; day < last; day++) days.push(day);
    days.push(...named);
    at = start + 1;
  }
  if (days.length === 0) return null;
  return { count: at - index, names: namesOf(days) };
}

function namesOf(days: readonly number[]): string {
  const sorted = [...new Set(days)].toSorted((a, b) => a - b);
  return sorted.map((day) => RULE_DAYS[day]).join(",");
}

/** Whether a word names several weekdays, such as "mon/wed" or "Mondays". */
export function namesWeekdays(word: string): boolean {
  return weekdaysIn(word.endsWith("s") ? word.slice(0, -1) : word) !== null;
}

/** The weekdays in "mon", "mon/wed" and "mon-fri". */
function weekdaysIn(word: string): number[] | null {
  const days = word.split(/[/–-]/).map((name) => WEEKDAYS.get(name)?.weekday);
  const known = days.filter((day) => day !== undefined);
  if (known.length < days.length) return null;
  const [first = 0, last = 0] = known;
  return /[–-]/.test(word) && known.length === 2 && first < last
    ? Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
    : known;
}

const LAST_DAY =
  /^(?:(?:(?:on )?(?:the )?last day of|am letzten(?: tag)?) (?:every|each|jede[sn]) mon(?:th|ats)|every last day of the month|jeden letzten(?: tag)? (?:im|des) monats?)$/;

/** "the last day of every month", "am Letzten jedes Monats", "every last day of the month". */
function lastDayOfMonth(words: readonly Word[], index: number): Found | null {
  for (let count = 7; count >= 4; count--) {
    const text = Array.from({ length: count }, (_, offset) => lowerAt(words, index + offset)).join(" ");
    if (LAST_DAY.test(text)) return { count, rule: "MONTHLY;BYMONTHDAY=-1" };
  }
  return null;
}

/** "on the 1st of every month", "am 3. jedes Monats". */
function monthDay(words: readonly Word[], index: number): Found | null {
  const start = /^(?:on|am|zum|due)$/.test(lowerAt(words, index)) ? index + 1 : index;
  const at = lowerAt(words, start) === "the" ? start + 1 : start;
  const day = dayOfMonthAt(words, at);
  const ofMonth = ofMonthAt(words, at + 1);
  const isEach = /^(?:every|each|jede[sn])$/.test(lowerAt(words, at + (ofMonth === 3 ? 2 : 1)));
  return day === null || !isEach || ofMonth === 0
    ? null
    : { count: at + 1 + ofMonth - index, rule: `MONTHLY;BYMONTHDAY=${day}` };
}

function dayOfMonthAt(words: readonly Word[], index: number): number | null {
  const word = lowerAt(words, index);
  const day = /^(?:first|ersten)$/.test(word) ? 1 : Number(/^(\d{1,2})(?:st|nd|rd|th|\.)$/.exec(word)?.[1] ?? 0);
  return day >= 1 && day <= 31 ? day : null;
}

/** "daily" at the end, "täglich". Before a noun they describe it. */
function adverb(words: readonly Word[], index: number, isAlone: boolean): Found | null {
  const word = lowerAt(words, index);
  const frequency = ADVERBS.get(word);
  // "wöchentlich Lottozahlen prüfen", but not "Monatlich teurer"
  const isBefore =
    index === 0 &&
    word.endsWith("lich") &&
    /^\p{Ll}\S*(?:en|ern|eln)$/u.test(words.findLast(({ isSigil }) => !isSigil)?.text ?? "");
  const isLeading = index === 0 && (isBefore || isTimeAt(words, 1));
  if (frequency === undefined || (index === 0 && !isAlone && !isLeading) || isOften(words, index - 1)) return null;
  // "listen to The Daily"
  if (inMonth(words, index + 1) || lowerAt(words, index - 1) === "the") return null;
  const isOnDay = /^(?:on|starting|from)$/.test(lowerAt(words, index + 1)) && index > 0;
  const isClear = isOnDay || isFollowedByTime(words, index) || isFromCompletionAt(words, index + 1);
  return isAlone || word.endsWith("lich") || isClear ? { count: 1, rule: frequency } : null;
}

/** "die Post hat montags zu" */
const HAS = /^(?:hat|haben|ist|sind)$/;

/** A word that begins a question, also an indirect one: "why it fires on Sundays". */
const ASKS = /^(?:what|who|how|where|why|warum|wieso|weshalb)$/;

/** "montags", "immer dienstags und donnerstags", "on Mondays", "werktags", also after "every week". */
function onWeekdays(words: readonly Word[], index: number, isAlone: boolean): Found | null {
  const lead = lowerAt(words, index);
  const weekly = /^(?:jede woche|every week)$/.test(`${lead} ${lowerAt(words, index + 1)}`) ? 2 : 0;
  const hasLead = weekly > 0 || /^(?:on|immer|always|wöchentlich)$/.test(lead);
  let at = index + (weekly > 0 ? weekly : hasLead ? 1 : 0);
  const begin = at;
  const days: number[] = [];
  for (;;) {
    const start = days.length > 0 && AND.test(lowerAt(words, at)) ? at + 1 : at;
    const word = lowerAt(words, start);
    const isWorkdays = days.length === 0 && ON_WORKDAYS.test(word);
    const known = word.endsWith("s") ? WEEKDAYS.get(word.slice(0, -1)) : undefined;
    const isFurther = days.length === 0 || start > at || words[at - 1]?.endsPhrase === true;
    if (isWorkdays) days.push(0, 1, 2, 3, 4);
    else if (known !== undefined && /(?:day|tag|woch|abend)s$/.test(word) && isFurther) days.push(known.weekday);
    else break;
    at = start + 1;
  }
  if (days.length === 0) return null;
  // "Taco Tuesdays" is a name.
  const isCapitalized = (at: number) => /^\p{Lu}/u.test(words[at]?.text ?? "");
  const isName =
    (isCapitalized(begin) && begin > 1 && isCapitalized(begin - 1)) || BLOCKING.has(lowerAt(words, begin - 1));
  if (words.slice(0, index).some(({ lower }) => ASKS.test(lower) || HAS.test(lower))) return null;
  // "eine Aushilfe für samstags suchen"
  if (BLOCKING.has(lowerAt(words, begin - 1))) return null;
  // "Sonntags geöffnete Bäcker"
  const describes = begin === 0 && /^\p{Ll}.*e[nrs]?$/u.test(words[at]?.text ?? "") && isCapitalized(at + 1);
  const isGerman =
    /(?:tag|woch|werktag)s$/.test(lowerAt(words, begin)) && lowerAt(words, begin) !== "weekdays" && !describes;
  const isEnglish = hasLead || (begin > 0 && !isName && isFollowedByTime(words, at - 1));
  return isGerman || isEnglish || isAlone ? { count: at - index, rule: `WEEKLY;BYDAY=${namesOf(days)}` } : null;
}

function isTimeAt(words: readonly Word[], index: number): boolean {
  const lead = lowerAt(words, index);
  return (TIME_LEADS.has(lead) ? readTime(words, index + 1, lead) : readTime(words, index, null)) !== null;
}

/** Whether nothing follows a word but a time, a tag or a new phrase. */
function isFollowedByTime(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  if (next === undefined || next.isSigil || words[index]?.endsPhrase === true) return true;
  return TIME_LEADS.has(next.lower) || readTime(words, index + 1, null) !== null;
}
