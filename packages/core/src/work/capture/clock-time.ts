import {
  ADVERB_DAYS,
  NUMBER_WORDS,
  EVENING,
  OFFICE_HOURS,
  WEEKDAYS,
  type DayPart,
  type WordLanguage,
} from "./vocabulary.ts";
import type { Word } from "./words.ts";

const MERIDIEM = /^(\d{1,2})(?:[:.](\d{2}))?([ap])\.?m$/;
const CLOCK = /^(\d{1,2}):(\d{2})$/;
const HOUR = /^(\d{1,2})(?:[:.](\d{2}))?$/;
const H_BETWEEN = /^(\d{1,2})h(\d{2})$/;
const JOINED_OCLOCK = /^(\d{1,2})(?:[:.](\d{2}))?(?:uhr|h)$/;

/**
 * How a time is written: `certain` in no need of interpretation, `clock` as 9:30, `oclock` as "9 Uhr", `bare` as a number alone,
 * and `spoken` as "half past nine".
 */
export type TimeForm = "certain" | "clock" | "oclock" | "bare" | "spoken";

export interface TimeRead {
  readonly count: number;
  readonly hour: number;
  readonly minute: number;
  readonly form: TimeForm;
  readonly language: WordLanguage | null;
  /** Whether it is only a number, which may also be a price, a temperature or a difference. */
  readonly isNumber?: boolean;
}

/** Reads a time of day that begins at a word. A number alone counts only after "at" or "um". */
export function readTime(words: readonly Word[], index: number, lead: string | null): TimeRead | null {
  const word = words[index];
  if (word === undefined || word.isSigil || word.isProtected) return null;
  const read = numericTime(words, index, word, lead) ?? spokenTime(words, index, word, lead);
  return read === null || read.hour > 23 || read.minute > 59 ? null : read;
}

function numericTime(words: readonly Word[], index: number, word: Word, lead: string | null): TimeRead | null {
  const next = words[index + 1]?.lower;
  const joined = MERIDIEM.exec(word.lower);
  if (joined !== null) return meridiemTime(1, joined, joined[3]);
  // "1h30" alone is how long something takes.
  const oclock = JOINED_OCLOCK.exec(word.lower) ?? (lead === null ? null : H_BETWEEN.exec(word.lower));
  if (oclock !== null) return timeOf(1, oclock, { form: "oclock", language: "de" });
  const clock = HOUR.exec(word.lower) ?? CLOCK.exec(word.lower);
  if (clock === null || word.endsPhrase) return toClock(word, lead);
  const suffix = /^([ap])\.?m$/.exec(next ?? "");
  if (suffix !== null && !isGermanDay(words[index + 2])) return meridiemTime(2, clock, suffix[1]);
  if (next === "uhr") {
    const minute = /^\d{2}$/.exec(words[index + 2]?.lower ?? "")?.[0];
    const isSplit =
      minute !== undefined &&
      clock[2] === undefined &&
      words[index + 1]?.endsPhrase === false &&
      !isCounted(words[index + 2], words[index + 3]);
    const read = timeOf(isSplit ? 3 : 2, clock, { form: "oclock", language: "de" });
    const isNight = words[index + 2]?.lower === "nachts" && (read.hour < 6 || read.hour > 19);
    if (isNight) return { ...read, count: 3, form: "certain" };
    return isSplit ? { ...read, minute: Number(minute) } : read;
  }
  if (MEASURES.test(next ?? "") || (next === "nach" && SIDES.test(words[index + 2]?.lower ?? ""))) return null;
  if (next === "o'clock" || next === "o’clock") return timeOf(2, clock, { form: "bare", language: "en" });
  return toClock(word, lead);
}

/** Whether a number after "8 Uhr" may count what follows, such as "18 km". */
function isCounted(number: Word | undefined, next: Word | undefined): boolean {
  if (number?.endsPhrase === true || next === undefined || next.isSigil) return false;
  return next.lower.length < 5 || /^\p{Lu}/u.test(next.text);
}

/** A time as 9:30, or as the number 9 after "at". */
function toClock(word: Word, lead: string | null): TimeRead | null {
  const clock = CLOCK.exec(word.lower);
  const language = lead === "um" ? "de" : lead === "at" || lead === "@" ? "en" : null;
  if (clock !== null) return timeOf(1, clock, { form: "clock", language });
  const hour = HOUR.exec(word.lower);
  if (hour === null || language === null) return null;
  // "um 8.30" is a time; "at 8.30" may be a price.
  if (hour[2] !== undefined) return language === "de" ? timeOf(1, hour, { form: "clock", language }) : null;
  return { ...timeOf(1, hour, { form: "bare", language }), isNumber: true };
}

function meridiemTime(count: number, match: RegExpExecArray, half: string | undefined): TimeRead | null {
  const { hour, minute } = timeOf(count, match, { form: "certain", language: "en" });
  // Nobody agrees on which day 12 am belongs to.
  if (hour < 1 || hour > 12 || (hour === 12 && half === "a")) return null;
  return { count, hour: (hour % 12) + (half === "p" ? 12 : 0), minute, form: "certain", language: "en" };
}

/** Hours with a leading zero, of the afternoon and at midnight can only be meant in one way. */
function timeOf(
  count: number,
  [, hours = "", minutes = "0"]: RegExpExecArray,
  { form, language }: Pick<TimeRead, "form" | "language">,
): TimeRead {
  const hour = Number(hours);
  const isCertain = (form !== "bare" && hours.startsWith("0")) || hour > 12;
  return { count, hour, minute: Number(minutes), form: isCertain ? "certain" : form, language };
}

/** "half past nine", "quarter to ten", "halb neun", "Viertel nach neun", "noon", and "nine" after "at". */
function spokenTime(words: readonly Word[], index: number, word: Word, lead: string | null): TimeRead | null {
  const [second, third] = [words[index + 1]?.lower, words[index + 2]?.lower];
  const spoken = (count: number, hour: number | null, minute: number, language: WordLanguage): TimeRead | null =>
    hour === null ? null : { count: withOclock(words, index, count), hour, minute, form: "spoken", language };
  const before = (hour: number | null) => (hour === null ? null : (hour + 11) % 12 || 12);
  switch (word.lower) {
    case "noon":
    case "midday":
      return { count: 1, hour: 12, minute: 0, form: "certain", language: "en" };
    case "lunchtime":
    case "mittag": {
      const language = word.lower === "mittag" ? "de" : "en";
      return lead === null ? null : { count: 1, hour: 12, minute: 0, form: "certain", language };
    }
    case "halb":
      return spoken(2, before(hourOf(second)), 30, "de");
    case "half":
      return second === "past" ? spoken(3, hourOf(third), 30, "en") : null;
    case "quarter":
      if (second === "past") return spoken(3, hourOf(third), 15, "en");
      return second === "to" ? spoken(3, before(hourOf(third)), 45, "en") : null;
    case "viertel":
      if (second === "nach") return spoken(3, hourOf(third), 15, "de");
      return second === "vor" ? spoken(3, before(hourOf(third)), 45, "de") : null;
    default: {
      const hour = NUMBER_WORDS.get(word.lower) ?? null;
      if (hour === null) return null;
      if (second === "uhr") return { count: 2, hour, minute: 0, form: "oclock", language: "de" };
      if (word.lower.length < 3 || /^(?:ein|eine|einen|einem|einer)$/.test(word.lower)) return null;
      if (lead !== "at" && lead !== "um") return null;
      return { count: 1, hour, minute: 0, form: "bare", language: lead === "um" ? "de" : "en" };
    }
  }
}

function withOclock(words: readonly Word[], index: number, count: number): number {
  return words[index + count]?.lower === "uhr" ? count + 1 : count;
}

function hourOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const hour = /^\d{1,2}$/.test(text) ? Number(text) : (NUMBER_WORDS.get(text) ?? 0);
  return hour >= 1 && hour <= 12 ? hour : null;
}

function isGermanDay(word: Word | undefined): boolean {
  return word !== undefined && (WEEKDAYS.get(word.lower)?.language === "de" || /^\d{1,2}\./.test(word.lower));
}

/**
 * The minutes since midnight that a time means; null if people mean different things by it, such as "at 7". English speakers who
 * write no "am" or "pm" mean the afternoon by the hours from 1 to 5, and of what is only open by day the morning by 7 and 8.
 */
export function minutesOf(
  read: TimeRead,
  words: readonly Word[],
  { part, language }: { readonly part: DayPart | null; readonly language: WordLanguage },
): number | null {
  const { hour, minute, form } = read;
  const at = (hours: number) => hours * 60 + minute;
  if (form === "certain") return at(hour);
  // "tonight at 2", "heute Abend um 12"
  if (part === EVENING && (hour < 4 || hour === 12)) return null;
  if (part !== null) return at(part.isLate && hour < 12 ? hour + 12 : hour);
  if (isEarly(words)) return hour >= 3 && hour < 12 ? at(hour) : null;
  if ((read.language ?? language) === "en") {
    const isUnclear = words[0]?.lower === "night" || words.some(({ lower }) => EARLY_OR_LATE.test(lower));
    if (hour >= 1 && hour <= 5) return isUnclear ? null : at(hour + 12);
    const isByDay = hour >= 7 && words.some(({ lower }) => OFFICE_HOURS.has(lower));
    return hour >= 9 || isByDay ? at(hour) : null;
  }
  // Only the clock of twelve hours has halves and quarters that are spoken.
  if (form === "spoken" && hour <= 5) return at(hour + 12);
  // Timetables have 24 hours.
  if (form !== "bare" && words.some(({ lower }) => DEPARTURES.test(lower))) return hour > 0 ? at(hour) : null;
  const earliest = form === "bare" ? 9 : form === "spoken" ? 8 : 6;
  return hour >= earliest ? at(hour) : null;
}

/** What a number before it measures: "um 10 cm kürzen", "sell at 15 each". */
const MEASURES =
  /^(?:%|[€$£]|euros?|eur|dollars?|pounds?|mm|cm|m|km|mg|g|kg|ml|l|px|mph|grad|degrees|prozent|percent|each|apiece|per|pro|stück|punkte?|points?|tiefer|höher|länger|kürzer|breiter|weiter|mehr|weniger|years?|months?|weeks?|days?|jahre|monate|wochen|tage)$/;
const SIDES = /^(?:links|rechts|oben|unten|vorne?|hinten)$/;
const PRICING = /^(?:buy|sell|bid|price|list|trade|cap|limit|set|keep|hold|stop)$/;
const CHANGING =
  /^(?:erhöhen|anheben|steigern|aufstocken|senken|kürzen|verringern|reduzieren|mindern|verlängern|verkürzen|überzogen|überschritten)$/;

/** Whether a number is or may be what something costs or changes by: "buy shares at 18", "Miete um 20 erhöhen". */
export function isMeasured(
  { isNumber = false, hour }: TimeRead,
  words: readonly Word[],
  writer: WordLanguage,
): boolean {
  if (!isNumber) return false;
  // Where hours are counted to 12, "at 15" is rarely a time.
  if (writer === "en" && hour > 12) return true;
  return PRICING.test(words[0]?.lower ?? "") || words.some(({ lower }) => CHANGING.test(lower));
}

/** With these, the hours from 1 to 5 may be those before dawn. */
const EARLY_OR_LATE = /^(?:flights?|fly|airport|breakfast|morning|sunrise|dawn)$/;
const DEPARTURES = /^(?:abfahrt|abflug|flug|zug|ice|fähre)$/;
const WAKING = /^(?:aufstehen|aufwachen|wecker|fr(?:ü|ue)h(?:schicht|dienst)|sonnenaufgang)$/;
const EARLY =
  /^(?:(?:early|morning) (?:shift|start|run|jog|walk|hike|ride|swim|yoga|train|flight)|sunrise .+|(?:wake|get) up)$/;

/** Whether a text is about what people do before or soon after dawn: "wake up at 5:30", "alarm 6:15", but not "alarm engineer". */
function isEarly(words: readonly Word[]): boolean {
  const [first, second, third] = [0, 1, 2].map((index) => words[index]?.lower ?? "");
  if (EARLY.test(`${first} ${second}`) && third !== "to") return true;
  if (first === "set") return words.some(({ lower }) => lower === "alarm");
  const isAlone =
    /^\d|^(?:at|for|on)$/.test(second ?? "") || ADVERB_DAYS.has(second ?? "") || WEEKDAYS.has(second ?? "");
  return (first === "alarm" && isAlone) || words.some(({ lower }) => WAKING.test(lower));
}
