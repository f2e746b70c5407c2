import { dayFrom, firstOfMonth, partsOf, weekdayOf, type Day } from "./calendar-day.ts";
import { COMING, dateIn, lowerAt, NEXT, THIS, weekOf, type DayContext, type DayRead } from "./day-read.ts";
import { readTime } from "./clock-time.ts";
import { HOLIDAYS, MONTHS, TIME_LEADS, type WordLanguage } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** "next week", "nächsten Monat", "this weekend", "am Wochenende". */
export function period(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const { today } = context;
  const [first, second, third] = [lowerAt(words, index), lowerAt(words, index + 1), lowerAt(words, index + 2)];
  const monday = today - weekdayOf(today);
  const week = weekOf(today, context);
  const weekend = Math.max(monday + 5, today);
  const isNext = NEXT.test(first);
  if (isNext || COMING.test(first)) {
    const { year, month } = partsOf(today);
    const language = /^n[aä]|^k/.test(first) ? "de" : "en";
    if (/^(?:week|woche)$/.test(second)) return { count: 2, day: week + 7, kind: "week", language };
    if (/^(?:month|monat)$/.test(second))
      return { count: 2, day: firstOfMonth(year, month + 1), kind: "period", language };
    if (/^(?:weekend|wochenende)$/.test(second))
      return { count: 2, day: isNext ? monday + 12 : weekend, kind: "period", language };
    return null;
  }
  if (first === "the" && second === "week" && third === "after" && NEXT.test(lowerAt(words, index + 3)))
    return { count: 4, day: week + 14, kind: "week", language: "en" };
  if (/^übernächsten?$/.test(first) && second === "woche")
    return { count: 2, day: week + 14, kind: "week", language: "de" };
  if (THIS.test(first) && /^(?:weekend|wochenende)$/.test(second))
    return { count: 2, day: weekend, kind: "period", language: second === "weekend" ? "en" : "de" };
  if (/^(?:on|at|over)$/.test(first) && second === "the" && third === "weekend")
    return { count: 3, day: weekend, kind: "period", language: "en" };
  if (/^(?:am|übers)$/.test(first) && second === "wochenende")
    return { count: 2, day: weekend, kind: "period", language: "de" };
  return null;
}

const ADVENTS: ReadonlyMap<string, number> = new Map(
  ["1. ersten", "2. zweiten", "3. dritten", "4. vierten"].flatMap((words, index) =>
    words.split(" ").map((word) => [word, index + 1] as const),
  ),
);

/** The next such Sunday: the fourth is the last one before Christmas Day. */
function adventSunday({ today }: DayContext, number: number): Day | null {
  const { year } = partsOf(today);
  for (const later of [0, 1]) {
    const christmas = dayFrom(year + later, 12, 25);
    const day = christmas === null ? null : christmas - weekdayOf(christmas) - 1 - 7 * (4 - number);
    if (day === null || day >= today) return day;
  }
  return null;
}

/** "end of the month", "EOD", "Ende der Woche", "Monatsende". */
export function endOfPeriod(words: readonly Word[], index: number, context: Pick<DayContext, "today">): DayRead | null {
  const { today } = context;
  const [first, second, third] = [lowerAt(words, index), lowerAt(words, index + 1), lowerAt(words, index + 2)];
  const end = (count: number, unit: string, language: WordLanguage): DayRead | null => {
    const day = lastDayOf(unit, today);
    const isDayEnd = /^(?:day|eod|cob)$/.test(unit);
    return day === null ? null : { count, day, kind: "end", language, ...(isDayEnd && { isDayEnd }) };
  };
  if (/^(?:eod|eow|eom|eoy|cob)$/.test(first)) return end(1, first, "en");
  if (first === "monatsende") return end(1, "month", "de");
  if (first === "jahresende") return end(1, "year", "de");
  const lastDay = /^(?:the )?last day of the month/.exec(`${first} ${second} ${third} ${restOf(words, index + 3)}`);
  if (lastDay !== null) return end(first === "the" ? 6 : 5, "month", "en");
  const lastGerman = /^(?:am|zum) letzten (?:tag )?(?:des monats|im monat)(?= |$)/.exec(
    `${first} ${second} ${third} ${restOf(words, index + 3)}`,
  );
  if (lastGerman !== null) return end(lastGerman[0].split(" ").length, "month", "de");
  const isPrefixed = (first === "at" && second === "the" && third === "end") || (first === "am" && second === "ende");
  if (isPrefixed) {
    const skipped = first === "at" ? 2 : 1;
    const read = endOfPeriod(words, index + skipped, context);
    return read === null ? null : { ...read, count: read.count + skipped };
  }
  const ofMonth = first === "end" && second === "of" ? 2 : first === "ende" ? 1 : null;
  const month = ofMonth === null ? undefined : MONTHS.get(lowerAt(words, index + ofMonth));
  if (ofMonth !== null && month !== undefined) {
    const language = first === "end" ? "en" : "de";
    return { count: ofMonth + 1, day: endOfMonth(month, today), kind: "end", language, needsLead: true };
  }
  const ofNext = first === "end" && second === "of" ? 2 : first === "ende" ? 1 : null;
  if (ofNext !== null && NEXT.test(lowerAt(words, index + ofNext))) {
    const unit = lowerAt(words, index + ofNext + 1);
    const day = /^(?:week|woche)$/.test(unit)
      ? today - weekdayOf(today) + 11
      : /^(?:month|monats)$/.test(unit)
        ? lastDayIn(today, 1)
        : null;
    return day === null ? null : { count: ofNext + 2, day, kind: "end", language: first === "end" ? "en" : "de" };
  }
  if (first === "end" && second === "of")
    return /^(?:the|this)$/.test(third) ? end(4, lowerAt(words, index + 3), "en") : end(3, third, "en");
  if (first === "ende") return /^(?:de[rs]|dieser|dieses)$/.test(second) ? end(3, third, "de") : end(2, second, "de");
  return null;
}

/** The last day of the next month with this number. */
function endOfMonth(month: number, today: Day): Day | null {
  const { year, month: current } = partsOf(today);
  const next = firstOfMonth(year, month + 1 + (month < current ? 12 : 0));
  return next === null ? null : next - 1;
}

function lastDayOf(unit: string, today: Day): Day | null {
  switch (unit) {
    case "day":
    case "eod":
    case "cob":
      return today;
    case "week":
    case "woche":
    case "eow":
      // The last working day; from Saturday on it is not clear which week is meant.
      return weekdayOf(today) > 4 ? null : today - weekdayOf(today) + 4;
    case "month":
    case "monats":
    case "monat":
    case "eom":
      return lastDayIn(today, 0);
    case "year":
    case "jahres":
    case "jahr":
    case "eoy":
      return dayFrom(partsOf(today).year, 12, 31);
    default:
      return null;
  }
}

/** The last day of the month that begins in a number of months. */
function lastDayIn(today: Day, months: number): Day | null {
  const { year, month } = partsOf(today);
  const next = firstOfMonth(year, month + months + 1);
  return next === null ? null : next - 1;
}

function restOf(words: readonly Word[], index: number): string {
  return [0, 1, 2].map((offset) => lowerAt(words, index + offset)).join(" ");
}

const NAMED_EVE = /^new year['’]?s eve$/;
const CHRISTMAS_DAY = /^weihnachts(?:feier)?tag$/;
const CHRISTMAS_DAYS: ReadonlyMap<string, number> = new Map([
  ...["1.", "ersten", "erster"].map((word) => [word, 25] as const),
  ...["2.", "zweiten", "zweiter"].map((word) => [word, 26] as const),
]);
const BOXING_DAY = "boxing day";

/** "Christmas" after "by" and its like, "New Year's Eve 8pm". */
export function holiday(words: readonly Word[], index: number, context: DayContext): DayRead | null {
  const first = lowerAt(words, index);
  const advent = lowerAt(words, index + 1) === "advent" ? (ADVENTS.get(first) ?? null) : null;
  if (advent !== null)
    return { count: 2, day: adventSunday(context, advent), kind: "holiday", language: "de", needsLead: true };
  const [second, third] = [lowerAt(words, index + 1), lowerAt(words, index + 2)];
  const christmasDay = CHRISTMAS_DAY.test(second) ? CHRISTMAS_DAYS.get(first) : undefined;
  if (christmasDay !== undefined) {
    const read = dateIn(context, { year: undefined, month: 12, dayOfMonth: christmasDay });
    return read === null ? null : { count: 2, ...read, kind: "holiday", language: "de", needsLead: true };
  }
  const named = NAMED_EVE.test(`${first} ${second} ${third}`)
    ? { count: 3, month: 12, dayOfMonth: 31 }
    : `${first} ${second}` === BOXING_DAY
      ? { count: 2, month: 12, dayOfMonth: 26 }
      : null;
  if (named !== null) {
    const { count, ...fields } = named;
    const read = dateIn(context, { year: undefined, ...fields });
    return read === null ? null : { count, ...read, kind: "holiday", language: "en", needsLead: true };
  }
  const isEve = second === "eve";
  const isChristmasDay = /^(?:christmas|xmas)$/.test(first) && second === "day";
  const date = HOLIDAYS.get(first);
  if (date === undefined) return null;
  // Of one that moves, only a time beside it has to be known.
  const isAtTime = TIME_LEADS.has(second) || readTime(words, index + 1, null) !== null;
  if (date === null && !isAtTime) return null;
  if (date === null) return { count: 1, day: null, kind: "holiday", language: context.language, needsLead: true };
  const [month, dayOfMonth] = date;
  const isEnglish = first === "christmas" || first === "xmas";
  if (isEve && !isEnglish) return null;
  const read = dateIn(context, { year: undefined, month, dayOfMonth: isEve ? dayOfMonth - 1 : dayOfMonth });
  if (read === null) return null;
  return {
    count: isEve || isChristmasDay ? 2 : 1,
    ...read,
    kind: "holiday",
    language: isEnglish ? "en" : "de",
    needsLead: true,
  };
}
