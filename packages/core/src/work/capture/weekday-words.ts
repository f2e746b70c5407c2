import { weekdayOf } from "./calendar-day.ts";
import { readTime } from "./clock-time.ts";
import { dottedDay, monthWithDay } from "./date-words.ts";
import { COMING, dayOfWeek, lowerAt, NEXT, THIS, weekOf, type DayContext, type DayRead } from "./day-read.ts";
import { DAY_PART_ENDINGS, TIME_LEADS, WEEKDAYS, type DayPart } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** "Friday", "next Friday", "this Fri", "übernächsten Freitag". */
export function weekday(words: readonly Word[], index: number, context: DayContext): DayRead | null {
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
