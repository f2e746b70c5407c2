import { weekdayOf, type Day } from "./calendar-day.ts";
import { isMeasured, minutesOf, readTime, type TimeRead } from "./clock-time.ts";
import { dayOfWeek, lowerAt, NEXT, THIS, type DayContext, type DayRead } from "./day-read.ts";
import { readDay } from "./day-words.ts";
import {
  DATE_LEADS,
  DAY_PARTS,
  LEAD_FILLERS,
  MAKING_VERBS,
  TASK_VERBS,
  TIME_LEADS,
  type DayPart,
} from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Words of a moment, from the first up to but not including the last. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** A day, a time or both, as they stand together in a text. */
export interface Moment extends WordRange {
  /** The words that belong to it; what stands between them does not. */
  readonly ranges: readonly WordRange[];
  readonly date: DateItem | null;
  readonly time: { readonly read: TimeRead; readonly lead: string | null; readonly range: WordRange } | null;
  readonly hasPart: boolean;
  readonly day: Day | null;
  readonly minutes: number | null;
  /** Whether its parts contradict each other. */
  readonly isContradictory: boolean;
}

interface DateItem {
  readonly read: DayRead;
  readonly lead: string | null;
  readonly range: WordRange;
  /** Whether it has both its date and its weekday. */
  readonly isNamedTwice?: boolean;
}
type TimeItem = NonNullable<Moment["time"]>;

/** Reads the day and the time that begin at a word, as far as they belong together; null if there is neither. */
export function readMoment(words: readonly Word[], index: number, context: DayContext): Moment | null {
  const dates: DateItem[] = [];
  const times: TimeItem[] = [];
  const parts: { part: DayPart; range: WordRange }[] = [];
  let at = index;
  for (;;) {
    const part: { part: DayPart; range: WordRange } | null = dates.length + times.length > 0 ? partAt(words, at) : null;
    const time = part === null ? timeAt(words, at, parts[0]?.part ?? dates.at(-1)?.read.part) : null;
    const date = part === null && time === null ? dateAt(words, at, context, dates.length > 0) : null;
    if (part !== null && parts.length === 0) parts.push(part);
    else if (time !== null && times.length === 0) times.push(time);
    else if (date !== null) dates.push(date);
    else break;
    at = (part ?? time ?? date)?.range.to ?? at + 1;
  }
  const [date = null] = dates;
  let [time = null] = times;
  if (date === null && time === null) return null;
  const merged =
    date === null
      ? null
      : mergeDays(
          dates.map(({ read }) => read),
          context,
        );
  const part = parts[0]?.part ?? date?.read.part ?? null;
  if (time !== null && (isInRange(words, time.range) || ZONE.test(words[time.range.to]?.text ?? ""))) time = null;
  if (time !== null && date === null && isMeasured(time.read, words, context.language)) time = null;
  const timed = time === null ? null : minutesOf(time.read, words, { part, language: context.language });
  // "tonight at 2" has no time that is certain, not even that of an evening.
  const isUnclear = time !== null && timed === null && part !== null;
  if (timed === null) time = null;
  const ranges = [
    ...dates.map(({ range }) => range),
    ...(time === null ? [] : [time.range]),
    ...(isUnclear ? [] : parts.map(({ range }) => range)),
  ];
  return {
    from: index,
    to: at,
    ranges: joined(ranges),
    date: date === null || merged === null ? date : { ...date, read: merged, isNamedTwice: dates.length > 1 },
    time,
    hasPart: part !== null,
    day: merged?.day ?? null,
    minutes: timed ?? (part === null || isUnclear ? (date?.read.minutes ?? null) : part.minutes),
    // Whether midnight is the beginning or the end of a day is not certain.
    isContradictory: date !== null && (merged === null || MIDNIGHT.test(restAfter(words, at))),
  };
}

/** A word such as "evening" after a day or a time. */
function partAt(words: readonly Word[], index: number): { part: DayPart; range: WordRange } | null {
  const [word, second, third] = [words[index], words[index + 1], words[index + 2]];
  if (word === undefined || word.isSigil || word.isProtected) return null;
  const isAfterHeute = words[index - 1]?.lower === "heute" || /(?:tag|woch|abend)$/.test(words[index - 1]?.lower ?? "");
  if (word.lower === "morgen" && isAfterHeute)
    return { part: { minutes: 9 * 60, isLate: false }, range: { from: index, to: index + 1 } };
  // "Saturday am"
  const isHalf = /^[ap]m$/.test(word.lower) && (word.endsPhrase || second === undefined || second.isSigil);
  const direct = DAY_PARTS.get(isHalf ? (word.lower === "am" ? "morning" : "afternoon") : word.lower);
  if (direct !== undefined) return { part: direct, range: { from: index, to: index + 1 } };
  const isEnglish = word.lower === "in" && second?.lower === "the";
  const prefixed = isEnglish ? third : word.lower === "am" ? second : undefined;
  const part = DAY_PARTS.get(prefixed?.lower ?? "");
  return part === undefined ? null : { part, range: { from: index, to: index + (isEnglish ? 3 : 2) } };
}

function timeAt(words: readonly Word[], index: number, part: DayPart | undefined): TimeItem | null {
  const word = words[index];
  if (word === undefined || word.isSigil || word.isProtected) return null;
  // "Monday night 7"
  if (part !== undefined && isHourOf(part, word.lower) && isLastWord(words, index)) {
    const hour = readTime(words, index, "at");
    return hour === null ? null : { read: hour, lead: null, range: { from: index, to: index + hour.count } };
  }
  const hasLead = TIME_LEADS.has(word.lower) && !word.endsPhrase;
  const lead = hasLead ? word.lower : null;
  const start = index + (hasLead ? (words[index + 1]?.lower === "um" ? 2 : 1) : 0);
  const time = readTime(words, start, start === index + 2 ? "um" : lead);
  return time === null ? null : { read: time, lead, range: { from: index, to: start + time.count } };
}

/** Whether a number can only be an hour of that part of the day: "tonight 9", but not "tonight 2". */
function isHourOf({ minutes, isLate }: DayPart, number: string): boolean {
  const hour = /^(?:[1-9]|1[0-2])$/.test(number) ? Number(number) + (isLate && number !== "12" ? 12 : 0) : 0;
  return Math.abs(hour * 60 - minutes) <= 4 * 60;
}

function dateAt(words: readonly Word[], index: number, context: DayContext, isFurther: boolean): DateItem | null {
  const bare = readDay(words, index, context);
  // `18.2` is a version unless a preposition says otherwise.
  const isNumber = bare?.kind === "numeric" && bare.needsLead === true;
  if (bare !== null && !isNumber) return { read: bare, lead: null, range: { from: index, to: index + bare.count } };
  const first = words[index];
  if (first === undefined || first.isSigil || first.isProtected) return null;
  const latest = LATEST.test(`${first.lower} ${lowerAt(words, index + 1)} ${lowerAt(words, index + 2)}`)
    ? readDay(words, index + 3, context)
    : null;
  if (latest !== null) return { read: latest, lead: "by", range: { from: index, to: index + 3 + latest.count } };
  const made =
    first.lower === "für" && MAKING_VERBS.has(lowerAt(words, index - 1)) ? readDay(words, index + 1, context) : null;
  if (made !== null && isLastWord(words, index + made.count))
    return { read: made, lead: "bis", range: { from: index, to: index + 1 + made.count } };
  const booked = isBookedFor(words, index) ? readDay(words, index + 1, context) : null;
  if (booked !== null) return { read: booked, lead: "on", range: { from: index, to: index + 1 + booked.count } };
  // "get tires put on next Tuesday"
  const isParticle = first.lower === "on" && PARTICLE_VERBS.test(lowerAt(words, index - 1));
  if (isParticle && (NEXT.test(lowerAt(words, index + 1)) || THIS.test(lowerAt(words, index + 1)))) return null;
  // "zum 1.12." and "Freitag, den 3.12."
  const isWeakLead = first.lower === "zum" || (isFurther && first.lower === "den");
  if (!DATE_LEADS.has(first.lower) && !isWeakLead) return null;
  if (isFurther && SPAN_END.test(first.lower) && readDay(words, index + 1, context)?.isDayEnd !== true) return null;
  let at = index + 1;
  while (at < index + 4 && LEAD_FILLERS.has(words[at]?.lower ?? "") && words[at]?.isSigil === false) at += 1;
  for (; at > index; at--) {
    const read = readDay(words, at, context);
    // "Miete überweisen zum 1.", but not "gratulieren zum 30."
    const isPayment =
      read?.kind === "ordinal" && PAYING.test(lowerAt(words, index - 1)) && isLastWord(words, at + read.count - 1);
    const isWeak = isWeakLead && !isPayment && !/^(?:numeric|month-day|end)$/.test(read?.kind ?? "");
    if (read === null || isWeak) continue;
    return { read, lead: first.lower, range: { from: index, to: at + read.count } };
  }
  return null;
}

/** "boiler service booked for 15 Dec", but not "check the hotel is booked for 15 Dec" */
function isBookedFor(words: readonly Word[], index: number): boolean {
  const [noun, verb, preposition] = [-2, -1, 0].map((offset) => lowerAt(words, index + offset));
  if (!/^(?:for|für)$/.test(preposition ?? "") || !BOOKED.test(verb ?? "") || noun === "") return false;
  return !words.slice(0, index).some(({ lower }, at) => NOT_BOOKED.test(lower) || (at === 0 && TASK_VERBS.has(lower)));
}

const BOOKED = /^(?:booked|scheduled|arranged|geplant|gebucht|reserviert|vereinbart|ausgemacht)$/;
const NOT_BOOKED = /^(?:is|are|was|were|be|been|if|whether|ist|sind|war|waren|ob|not|nicht)$/;

/** Whether a text or its sentence ends with a word, apart from tags and the like. */
function isLastWord(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  return next === undefined || next.isSigil || words[index]?.endsPhrase === true;
}

/** One day from several: "Friday next week", "Thursday, 3 Dec". Null if they contradict each other. */
function mergeDays(reads: readonly DayRead[], context: DayContext): DayRead | null {
  const { today } = context;
  const [first, second, third] = reads;
  if (first === undefined) return null;
  // "Tue Dec 8 EOD"
  if (third !== undefined)
    return third.isDayEnd === true && reads.length === 3 ? mergeDays(reads.slice(0, 2), context) : null;
  if (second === undefined) return first;
  if (first.isDayEnd === true || second.isDayEnd === true)
    return first.isDayEnd === second.isDayEnd
      ? null
      : { ...(first.isDayEnd === true ? second : first), needsLead: false };
  if (second.kind === "relative") return afterDay(first, second, today);
  const named = first.kind === "weekday" ? first : second.kind === "weekday" ? second : null;
  const other = named === first ? second : first;
  if (named === null || named.day === null || other.day === null) return null;
  if (other.kind === "week")
    return { ...named, day: dayOfWeek(other.day, weekdayOf(named.day)), needsLead: false, isTodayAsWell: false };
  if (other.kind === "adverb") return weekdayOf(other.day) === weekdayOf(named.day) ? other : null;
  const isDate =
    other.kind === "numeric" || other.kind === "month-day" || other.kind === "slash" || other.kind === "ordinal";
  return isDate && weekdayOf(other.day) === weekdayOf(named.day) && other.day >= today
    ? { ...other, needsLead: false }
    : null;
}

/** "Friday in two weeks"; null if the week of that day has begun, because people count from it differently. */
function afterDay(first: DayRead, { day, minutes }: DayRead, today: Day): DayRead | null {
  if (first.day === null || day === null || minutes !== undefined || (day - today) % 7 !== 0) return null;
  const isLater = first.kind === "adverb" || (first.kind === "weekday" && weekdayOf(first.day) > weekdayOf(today));
  return isLater || first.day === today
    ? { ...first, day: first.day + day - today, needsLead: false, isTodayAsWell: false }
    : null;
}

const MIDNIGHT = /^(?:(?:at|um) )?(?:midnight|mitternacht)\b/;

function restAfter(words: readonly Word[], index: number): string {
  return `${lowerAt(words, index)} ${lowerAt(words, index + 1)}`;
}

/** Verbs whose "on" belongs to them before "next Tuesday", which has none of its own. */
const PARTICLE_VERBS = /^(?:put|turn|turned|switch|switched|try|log)$/;

/** What is done by a day of the month. */
const PAYING = /^(?:überweisen|ueberweisen|zahlen|bezahlen|einziehen|abbuchen|monatlich)$/;
const LATEST = /^(?:no later than|nicht später als)$/;
const SPAN_END = /^(?:until|till|bis|by|before|vor|due)$/;
/** A time in another zone is another time here. */
const ZONE = /^(?:UTC|GMT|BST|CES?T|MES?Z|EE?S?T|[ECMP][SD]?T|JST|IST)$/;
const RANGE_WORD = /^(?:to|and|bis|und|until|till|oder|or)$/;
const BEGINS_WITH_DIGIT = /^\d/;

/** Whether a time is the beginning or the end of a span of time, such as "9 to 11". */
function isInRange(words: readonly Word[], { from, to }: WordRange): boolean {
  const isRangeWord = (index: number) => RANGE_WORD.test(words[index]?.lower ?? "");
  const isNumber = (index: number) =>
    BEGINS_WITH_DIGIT.test(words[index]?.lower ?? "") || words[index]?.lower === "uhr";
  const isDashed = (index: number) => words[index]?.isDashed === true;
  if ((isDashed(from - 1) && isNumber(from - 1)) || (isDashed(to - 1) && isNumber(to))) return true;
  const isEnd = (isRangeWord(from) && isNumber(from - 1)) || (isRangeWord(from - 1) && isNumber(from - 2));
  return isEnd || (isRangeWord(to) && (isNumber(to + 1) || isNumber(to + 2)));
}

function joined(ranges: readonly WordRange[]): WordRange[] {
  const sorted = ranges.toSorted((a, b) => a.from - b.from);
  const result: WordRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last !== undefined && last.to >= range.from) result[result.length - 1] = { from: last.from, to: range.to };
    else result.push(range);
  }
  return result;
}
