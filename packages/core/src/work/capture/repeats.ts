import { partsOf, type Day } from "./calendar-day.ts";
import { lowerAt, type DayContext } from "./day-read.ts";
import { readDay } from "./day-words.ts";
import { weekdayIn } from "./weekday-words.ts";
import type { WordRange } from "./moments.ts";
import { isFromCompletionAt, readTail } from "./repeat-tail.ts";
import { EVERY, isFollowedByTime, isTimeAt, namesOf, ofMonthAt, RULE_DAYS, type RuleRead } from "./rule-read.ts";
import { ON_WORKDAYS, onWeekdays, weekdayOfMonth, weekdays } from "./rule-weekdays.ts";
import { DAY_PARTS, MONTHS, NUMBER_WORDS, NUMBERED, UNITS, WEEKDAYS, type Unit } from "./vocabulary.ts";
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

const SECOND = /^(?:other|second|2nd|zweite[nrs]?)$/;

const THIRD_OR_LATER: ReadonlyMap<string, number> = new Map(
  ["third 3rd dritte dritten drittes", "fourth 4th vierte vierten viertes", "fifth 5th fünfte fünften fünftes"].flatMap(
    (forms, index) => forms.split(" ").map((form) => [form, index + 3] as const),
  ),
);

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

function every(words: readonly Word[], index: number, context: DayContext): RuleRead | null {
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

const LAST_DAY =
  /^(?:(?:(?:on )?(?:the )?last day of|am letzten(?: tag)?) (?:every|each|jede[sn]) mon(?:th|ats)|every last day of the month|jeden letzten(?: tag)? (?:im|des) monats?)$/;

/** "the last day of every month", "am Letzten jedes Monats", "every last day of the month". */
function lastDayOfMonth(words: readonly Word[], index: number): RuleRead | null {
  for (let count = 7; count >= 4; count--) {
    const text = Array.from({ length: count }, (_, offset) => lowerAt(words, index + offset)).join(" ");
    if (LAST_DAY.test(text)) return { count, rule: "MONTHLY;BYMONTHDAY=-1" };
  }
  return null;
}

/** "on the 1st of every month", "am 3. jedes Monats". */
function monthDay(words: readonly Word[], index: number): RuleRead | null {
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
function adverb(words: readonly Word[], index: number, isAlone: boolean): RuleRead | null {
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
