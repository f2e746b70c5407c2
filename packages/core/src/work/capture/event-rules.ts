import type { DayKind } from "./day-read.ts";
import type { Moment } from "./moments.ts";
import {
  ASKING_WORDS,
  ATTENDING_VERBS,
  BY,
  EVENT_NOUNS,
  EVENT_VERBS,
  MEALS,
  MOVING_VERBS,
  NUMBER_WORDS,
  PREPARING_VERBS,
  RECORD_NOUNS,
  TASK_VERBS,
} from "./vocabulary.ts";
import type { Word } from "./words.ts";

const ARTICLE = /^(?:the|a|an|die|der|das|den|dem|eine|einen|einem|einer|ein)$/;

/** "Elternabend am Donnerstag vorbereiten" */
const GERMAN_EVENT = /(?:abend|termin|treffen|sitzung|feier|besprechung|prüfung|klausur|vortrag|gespräch)$/;

/** What is planned has a day of its own. */
const PLANNING = /^(?:planen|organisieren)$/;

/** Whether a day is that of what is moved, called off or prepared for. */
export function isOfEvent({ from, date, hasPart }: Moment, words: readonly Word[]): boolean {
  if (date === null || from === 0 || BY.test(date.lead ?? "") || date.read.minutes !== undefined) return false;
  const isObject = from === 1 && date.read.kind !== "relative" && MOVING_VERBS.has(words[0]?.lower ?? "");
  if (date.read.kind === "adverb") return isObject;
  const first = words[0]?.lower ?? "";
  const isDated =
    date.lead === null && !hasPart && date.read.kind !== "relative" && EVENT_NOUNS.has(words[from - 1]?.lower ?? "");
  const isOnIt = /^(?:on|happy)$/.test(words[from - 2]?.lower ?? "") || words[from - 3]?.lower === "on";
  // "Mom's birthday Dec 12 - order flowers"
  const rest = words.findIndex(({ endsPhrase }, index) => endsPhrase && index >= from) + 1;
  if (isDated && rest > 0 && TASK_VERBS.has(words[rest]?.lower ?? "")) return true;
  if (isDated && !isOnIt && TASK_VERBS.has(first) && !ATTENDING_VERBS.has(first)) return true;
  const isDay = /^(?:weekday|month-day|slash|numeric|ordinal)$/.test(date.read.kind);
  if (isDay && PLANNING.test(words.at(-1)?.lower ?? "")) return true;
  if (date.read.kind === "weekday" && first === "cancel") return true;
  const isPrepared =
    (PREPARING_VERBS.has(words[0]?.lower ?? "") && words[1]?.lower === "for") ||
    (words.at(-1)?.lower === "vorbereiten" && GERMAN_EVENT.test(words[from - 1]?.lower ?? ""));
  const isLearnt =
    /^(?:lernen|üben|pauken)$/.test(words.at(-1)?.lower ?? "") &&
    !words.slice(from, -1).some(({ endsPhrase }) => endsPhrase) &&
    words.slice(0, from).some(({ lower }) => /(?:arbeit|test|klausur|prüfung|abitur|schularbeit)$/.test(lower));
  return (
    isObject ||
    isPrepared ||
    isLearnt ||
    EVENT_VERBS.has(words[0]?.lower ?? "") ||
    EVENT_VERBS.has(words.at(-1)?.lower ?? "")
  );
}

/** "apply for the grant, deadline 4 Dec", but not "about the deadline on Friday" */
function isOfDeadline(words: readonly Word[], from: number): boolean {
  const isNamed = /^(?:deadline|frist|abgabefrist|stichtag)$/.test(words[from - 1]?.lower ?? "");
  return isNamed && !/^(?:am|on)$/.test(words[from]?.lower ?? "");
}

/** "the show on June 12" after "for" is the day of the show. */
export function describesObject(words: readonly Word[], from: number, kind: DayKind): boolean {
  if (isOfDeadline(words, from)) return false;
  const isNamed = [2, 3, 4].some(
    (distance) =>
      /^(?:for|fürs?|wegen)$/.test(words[from - distance]?.lower ?? "") &&
      !/^\d/.test(words[from - distance + 1]?.lower ?? "") &&
      !isCount(words[from - distance + 1]?.lower ?? ""),
  );
  if (isNamed && (kind !== "weekday" || words[from]?.lower === "am")) return true;
  return [2, 3].some(
    (distance) =>
      ARTICLE.test(words[from - distance]?.lower ?? "") &&
      /^(?:for|für|to|zu|wegen)$/.test(words[from - distance - 1]?.lower ?? ""),
  );
}

/** "for six", but not "for a" */
function isCount(word: string): boolean {
  return !ARTICLE.test(word) && NUMBER_WORDS.has(word);
}

/** "Can we meet Friday?" asks about a day. */
export function isAskedAbout({ to }: Moment, words: readonly Word[]): boolean {
  return words[to - 1]?.isAsked === true && words.some(({ lower }) => ASKING_WORDS.has(lower));
}

/** "meeting notes 25 Nov" */
export function isNameOfRecord({ from, date, time }: Moment, words: readonly Word[]): boolean {
  const isDate = date?.lead === null && /^(?:month-day|slash|numeric)$/.test(date.read.kind);
  return isDate && time === null && RECORD_NOUNS.has(words[from - 1]?.lower ?? "");
}

/** What people do every day, so that "after work tomorrow" is when something is due. */
const ROUTINES = new Set(
  "work school class lunch dinner breakfast bed arbeit schule uni dienst feierabend mittagessen frühstück sport".split(
    " ",
  ),
);
const POSSESSIVE = /^(?:my|your|his|her|its|our|their|(?:mein|dein|sein|ihr|unser|eur)(?:e[nmrs]?)?)$/;

/** "before her talk on Thursday", "vor Verlängerung am 9.12." */
export function isBeforeEvent(words: readonly Word[], from: number): boolean {
  if (ROUTINES.has(words[from - 1]?.lower ?? "") || words[from - 1]?.endsPhrase === true) return false;
  const at = POSSESSIVE.test(words[from - 2]?.lower ?? "") ? from - 3 : from - 2;
  return /^(?:before|after|vor|nach)$/.test(words[at]?.lower ?? "");
}

/** "for the party tomorrow" may be the day of the party. */
export function isBesideEvent(words: readonly Word[], from: number): boolean {
  const [preposition, article] = [words[from - 3]?.lower ?? "", words[from - 2]?.lower ?? ""];
  if (/^(?:fürs|vorm)$/.test(article)) return true;
  return /^(?:for|before|after|für|vor|nach)$/.test(preposition) && ARTICLE.test(article);
}

/** "Zusage für Klausurtagung 12.1." */
export function isForNamed(words: readonly Word[], from: number): boolean {
  const isNumber = /^\d/.test(words[from - 1]?.lower ?? "");
  if (isOfDeadline(words, from)) return false;
  return !isNumber && words[from - 1]?.endsPhrase === false && /^(?:for|fürs?)$/.test(words[from - 2]?.lower ?? "");
}

/** "for class party Thursday" */
export function isForEvent(words: readonly Word[], from: number): boolean {
  const before = words[from - 1]?.lower ?? "";
  if (MEALS.has(before) && words[from - 2]?.lower === "for") return true;
  if (!EVENT_NOUNS.has(before)) return false;
  return [2, 3, 4].some((distance) => /^(?:for|before|after)$/.test(words[from - distance]?.lower ?? ""));
}
