import { lowerAt } from "./day-read.ts";
import { EVERY, isFollowedByTime, namesOf, ofMonthAt, RULE_DAYS, type RuleRead } from "./rule-read.ts";
import { BLOCKING, WEEKDAYS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

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
export const ON_WORKDAYS = /^(?:weekdays|workdays|werktags|wochentags)$/;

/** "the first Monday of every month", "jeden letzten Freitag im Monat"; of the month is understood after "every first" and "last". */
export function weekdayOfMonth(words: readonly Word[], index: number): RuleRead | null {
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

/** "Tuesday and Thursday", "mon, wed and fri", "mon/wed", "Monday to Friday", "Mo-Fr". */
export function weekdays(words: readonly Word[], index: number): { count: number; names: string } | null {
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

/** "die Post hat montags zu" */
const HAS = /^(?:hat|haben|ist|sind)$/;

/** A word that begins a question, also an indirect one: "why it fires on Sundays". */
const ASKS = /^(?:what|who|how|where|why|warum|wieso|weshalb)$/;

/** "montags", "immer dienstags und donnerstags", "on Mondays", "werktags", also after "every week". */
export function onWeekdays(words: readonly Word[], index: number, isAlone: boolean): RuleRead | null {
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
