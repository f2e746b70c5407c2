import { dayFrom, firstOfMonth, parseDay, partsOf, type Day } from "./calendar-day.ts";
import { dateIn, lowerAt, type DayContext, type DayRead } from "./day-read.ts";
import { MONTHS, MONTHS_BEFORE_DAY, type WordLanguage } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const YEAR = /^(?:19|20|21)\d{2}$/;

/** `2027-04-03`. */
export function isoDay(words: readonly Word[], index: number, { today }: DayContext): DayRead | null {
  const text = lowerAt(words, index);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = parseDay(text);
  return { count: 1, day: day === null || day < today ? null : day, kind: "numeric", language: "en" };
}

/** `3.4.`, `3.4.2027`, `3.4.27`, and `3.4` after a preposition. */
export function dottedDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const match = /^(\d{1,2})\.(\d{1,2})(\.)?(\d{2}|\d{4})?$/.exec(lowerAt(words, index));
  if (match === null) return null;
  const [, dayText, monthText, dot, year] = match;
  if (dot === undefined && (year !== undefined || lowerAt(words, index + 1) === "uhr")) return null;
  const month = Number(monthText);
  if (month < 1 || month > 12) return null;
  const read = dateIn(context, { year, month, dayOfMonth: Number(dayText) });
  return read === null ? null : { count: 1, ...read, kind: "numeric", language: "de", needsLead: dot === undefined };
}

/** `4/3`, `4/3/27`: which number is the month depends on the country, and may be unknown. */
export function slashedDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
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
export function dayOfMonth(words: readonly Word[], index: number, { today }: DayContext): DayRead | null {
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
export function monthWithDay(words: readonly Word[], index: number, context: DayContext): DayRead | null {
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
