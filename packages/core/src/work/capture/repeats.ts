import type { Day } from "./calendar-day.ts";
import { lowerAt, type DayContext } from "./day-read.ts";
import type { WordRange } from "./moments.ts";
import { readTail } from "./repeat-tail.ts";
import { MONTHS, NUMBER_WORDS, TIME_LEADS, UNITS, WEEKDAYS, type Unit } from "./vocabulary.ts";
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
const ORDINALS: ReadonlyMap<string, number> = new Map([
  ["first", 1],
  ["second", 2],
  ["third", 3],
  ["fourth", 4],
  ["last", -1],
  ["ersten", 1],
  ["zweiten", 2],
  ["dritten", 3],
  ["vierten", 4],
  ["letzten", -1],
]);
const AND = /^(?:and|und|&)$/;
const FREQUENCY: Readonly<Record<Unit, string | null>> = {
  minute: null,
  hour: null,
  day: "DAILY",
  week: "WEEKLY",
  month: "MONTHLY",
  year: "YEARLY",
};
const ADVERBS: ReadonlyMap<string, string> = new Map([
  ["daily", "DAILY"],
  ["weekly", "WEEKLY"],
  ["monthly", "MONTHLY"],
  ["yearly", "YEARLY"],
  ["annually", "YEARLY"],
  ["täglich", "DAILY"],
  ["wöchentlich", "WEEKLY"],
  ["monatlich", "MONTHLY"],
  ["jährlich", "YEARLY"],
]);
const WORKDAYS = "WEEKLY;BYDAY=MO,TU,WE,TH,FR";

/** Reads a repetition that begins at a word, such as "every 2 weeks" or "jeden Montag um 7 Uhr". */
export function readRepeat(
  words: readonly Word[],
  index: number,
  context: DayContext,
  { isAlone = false } = {},
): Repeat | null {
  const found = every(words, index) ?? monthDay(words, index) ?? adverb(words, index, isAlone);
  if (found === null) return null;
  const { count, rule } = found;
  const { end, ...tail } = readTail(words, index + count, context);
  const [, names = ""] = /^WEEKLY.*BYDAY=([A-Z,]+)$/.exec(rule) ?? [];
  const [, day] = /BYMONTHDAY=(\d+)$/.exec(rule) ?? [];
  return {
    ...tail,
    from: index,
    rule: `FREQ=${rule}${end}`,
    days: names === "" ? [] : names.split(",").map((name) => RULE_DAYS.indexOf(name)),
    monthDay: day === undefined ? null : Number(day),
  };
}

interface Found {
  readonly count: number;
  readonly rule: string;
}

function every(words: readonly Word[], index: number): Found | null {
  if (!EVERY.test(lowerAt(words, index))) return null;
  const isSecond = SECOND.test(lowerAt(words, index + 1));
  const at = index + (isSecond ? 2 : 1);
  const word = lowerAt(words, at);
  const isAlle = lowerAt(words, index) === "alle";
  const interval = isSecond ? ";INTERVAL=2" : "";
  const count = at + 1 - index;

  const ordinal = ORDINALS.get(lowerAt(words, index + 1));
  const named = WEEKDAYS.get(lowerAt(words, index + 2));
  if (ordinal !== undefined && named !== undefined) {
    const ofMonth = ofMonthAt(words, index + 3);
    if (ofMonth > 0) return { count: 3 + ofMonth, rule: `MONTHLY;BYDAY=${ordinal}${RULE_DAYS[named.weekday] ?? ""}` };
  }
  const number = /^\d{1,3}$/.test(word) ? Number(word) : word.length > 2 ? NUMBER_WORDS.get(word) : undefined;
  if (number !== undefined) {
    const frequency = FREQUENCY[UNITS.get(lowerAt(words, at + 1)) ?? "minute"];
    if (frequency === null || number === 0 || isSecond) return null;
    return { count: count + 1, rule: number === 1 ? frequency : `${frequency};INTERVAL=${number}` };
  }
  if (isAlle) return null;
  if (/^(?:weekday|workday|werktag|wochentag)$/.test(word) && !isSecond) return { count, rule: WORKDAYS };
  if (/^(?:morning|evening|night|morgen|abend)$/.test(word) && !isSecond) return { count, rule: "DAILY" };
  const frequency = FREQUENCY[UNITS.get(word) ?? "minute"];
  if (frequency !== null) return { count, rule: `${frequency}${interval}` };
  const day = /^(\d{1,2})(?:st|nd|rd|th|\.)$/.exec(word)?.[1];
  if (day !== undefined && Number(day) >= 1 && Number(day) <= 31 && !MONTHS.has(lowerAt(words, at + 1)))
    return { count, rule: `MONTHLY;BYMONTHDAY=${Number(day)}` };
  const days = weekdays(words, at);
  return days === null ? null : { count: at - index + days.count, rule: `WEEKLY${interval};BYDAY=${days.names}` };
}

/** How many words "of the month" has here. */
function ofMonthAt(words: readonly Word[], index: number): number {
  const [first, second, third] = [lowerAt(words, index), lowerAt(words, index + 1), lowerAt(words, index + 2)];
  if (/^(?:im monat|des monats)$/.test(`${first} ${second}`)) return 2;
  return /^(?:of|in) (?:the|every|each) month$/.test(`${first} ${second} ${third}`) ? 3 : 0;
}

/** "Tuesday and Thursday", "mon, wed and fri". */
function weekdays(words: readonly Word[], index: number): { count: number; names: string } | null {
  const days: number[] = [];
  let at = index;
  for (;;) {
    const start = days.length > 0 && AND.test(lowerAt(words, at)) ? at + 1 : at;
    const known = WEEKDAYS.get(lowerAt(words, start));
    const isFurther = days.length === 0 || start > at || words[at - 1]?.endsPhrase === true;
    if (known === undefined || !isFurther) break;
    days.push(known.weekday);
    at = start + 1;
  }
  if (days.length === 0) return null;
  const names = [...new Set(days)].toSorted((a, b) => a - b).map((day) => RULE_DAYS[day]);
  return { count: at - index, names: names.join(",") };
}

/** "on the 1st of every month". */
function monthDay(words: readonly Word[], index: number): Found | null {
  const start = lowerAt(words, index) === "on" ? index + 1 : index;
  const at = lowerAt(words, start) === "the" ? start + 1 : start;
  const ordinal = ORDINALS.get(lowerAt(words, index + 1));
  const named = WEEKDAYS.get(lowerAt(words, index + 2));
  if (ordinal !== undefined && named !== undefined) {
    const ofMonth = ofMonthAt(words, index + 3);
    if (ofMonth > 0) return { count: 3 + ofMonth, rule: `MONTHLY;BYDAY=${ordinal}${RULE_DAYS[named.weekday] ?? ""}` };
  }
  const day = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(lowerAt(words, at))?.[1];
  const isEachMonth = /^(?:of every month|of each month)$/.test(
    [1, 2, 3].map((offset) => lowerAt(words, at + offset)).join(" "),
  );
  if (day === undefined || !isEachMonth || Number(day) < 1 || Number(day) > 31) return null;
  return { count: at + 4 - index, rule: `MONTHLY;BYMONTHDAY=${Number(day)}` };
}

/** "daily" at the end, "täglich", "montags". Before a noun they describe it. */
function adverb(words: readonly Word[], index: number, isAlone: boolean): Found | null {
  const word = lowerAt(words, index);
  const frequency = ADVERBS.get(word);
  const next = words[index + 1];
  if (frequency !== undefined) {
    const isLast =
      next === undefined || next.isSigil || words[index]?.endsPhrase === true || TIME_LEADS.has(next.lower) || isAlone;
    return (index > 0 || isAlone) && (isLast || /(?:lich)$/.test(word)) ? { count: 1, rule: frequency } : null;
  }
  const known = word.endsWith("s") ? WEEKDAYS.get(word.slice(0, -1)) : undefined;
  if (known === undefined || known.language !== "de" || known.isAmbiguous) return null;
  return { count: 1, rule: `WEEKLY;BYDAY=${RULE_DAYS[known.weekday] ?? ""}` };
}
