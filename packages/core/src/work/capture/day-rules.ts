import { readTime } from "./clock-time.ts";
import type { DayContext } from "./day-read.ts";
import type { Moment } from "./moments.ts";
import { isClosed, isPhraseEnd, TIME_SPAN } from "./phrase-end.ts";
import { BY, CLAUSE_STARTS, DURATION_VERBS, TASK_VERBS, TITLE_VERBS, UNITS } from "./vocabulary.ts";
import { isNumbered, QUANTITY } from "./word-before.ts";
import type { Word } from "./words.ts";

/** Whether an English weekday at the end of a row of capitalized words belongs to a title or a name. */
function endsTitle(words: readonly Word[], from: number): boolean {
  const isCapitalized = (index: number) => index > 0 && /^\p{Lu}/u.test(words[index]?.text ?? "");
  const isTitle = isCapitalized(from - 1) && isCapitalized(from - 2) && isCapitalized(from - 3);
  return isTitle || (isCapitalized(from - 1) && TITLE_VERBS.has(words[0]?.lower ?? ""));
}

/** Whether a word with other meanings, such as "sun", can only be a weekday where it stands. */
export function standsAlone(moment: Moment, words: readonly Word[], context: DayContext): boolean {
  const { date, time } = moment;
  if (date?.read.kind === "holiday") return time !== null;
  if (date === null || date.read.kind !== "weekday") return false;
  if (time !== null || moment.ranges.some(({ from, to }) => to - from > date.read.count)) return true;
  const word = words[date.range.from];
  if (word === undefined) return false;
  if (moment.from === 0) return context.language === "de" && leadsGerman(moment, words);
  if (date.read.language === "en" && isDoneOn(moment, words)) return true;
  if (!/^\p{Lu}/u.test(word.text)) return false;
  if (date.read.language === "en") return isPhraseEnd(moment, words);
  const next = words[moment.to];
  // "Mi 16-19 Uhr", "Di zwischen 9 und 11"
  const isLast =
    next === undefined || next.isSigil || /^(?:zwischen|vor|nach|ab)$/.test(next.lower) || TIME_SPAN.test(next.lower);
  return isLast && context.language === "de" && words[moment.from - 1]?.lower !== "to";
}

/** "Dec 18 xmas play", "12/3 boiler inspection 9am", "sat morning rake leaves", but not "Dec 3 invoice" and "12/3 screws" */
function isDatedTitle({ to, date }: Moment, words: readonly Word[]): boolean {
  const next = words[to];
  if (next === undefined || next.isSigil || DATED_RECORDS.test(next.lower)) return false;
  if (date?.read.kind === "month-day") return true;
  return date?.read.kind === "slash" && words.some((_, index) => index >= to && readTime(words, index, null) !== null);
}

const DATED_RECORDS =
  /^(?:invoices?|receipts?|reports?|bills?|statements?|photos?|pictures?|emails?|letters?|episodes?|issues?|editions?|releases?|orders?|numbers|figures|results|entry|entries|and|or|to|is|was)$/;

/** "Jan 4 back to work", "Friday off to Rome" */
const RESUMING = /^(?:back|off|out|leave|return)$/;

/** Whether a day, by its kind and where it stands in its phrase, is when the task is due. */
export function isDueDay(moment: Moment, words: readonly Word[]): boolean {
  const { date, time, hasPart } = moment;
  if (date === null) return false;
  const { read, lead } = date;
  const isAtEnd = isPhraseEnd(moment, words);
  const isSet = time !== null;
  const isDated = /^(?:month-day|slash|numeric)$/.test(read.kind) && date.isNamedTwice;
  const following = words[moment.to]?.lower ?? "";
  const isBefore = TASK_VERBS.has(following) || RESUMING.test(following);
  const mayLead = read.language === "en" && (lead === null || read.kind === "ordinal");
  const isLeading = mayLead && (isBefore || isDatedTitle(moment, words));
  if (moment.from === 0 && (isDated || isLeading)) return true;
  const isFirst = moment.from === 0 || words[moment.from - 1]?.endsPhrase === true;
  const next = words[moment.to]?.text ?? "";
  // A German noun is capitalized, so what follows in lower case is not what the day describes.
  const fitsGerman = isAtEnd || isFirst || !/^[\p{Lu}\d]/u.test(next);
  switch (read.kind) {
    case "adverb": {
      // "am Morgen" is no day.
      if (lead === "am" || lead === "on") return false;
      const isName = /^\p{Lu}/u.test(words[date.range.from]?.text ?? "") && !isFirst && lead === null;
      return isSet || (hasPart && read.part === undefined) || !isName || isAtEnd;
    }
    case "weekday":
      if (isSet) return true;
      if (read.language === "de") return lead !== null || fitsGerman;
      if (lead === null && endsTitle(words, moment.from)) return false;
      if (lead !== null) return isAtEnd || isFirst;
      // "sat evening dinner with the Browns", but not "Friday Night Lights"
      if (isFirst && hasPart && /^\p{Ll}/u.test(next) && moment.to < words.length - 1) return true;
      return isAtEnd && (!isFirst || isClosed(moment, words));
    case "numeric":
      return !isNumbered(words[moment.from - 1]?.lower ?? "");
    case "slash":
      if (lead === null && !isSet && QUANTITY.test(words[moment.from - 1]?.lower ?? "")) return false;
      return lead === null ? isSet || isClosed(moment, words) : isAtEnd || isSet;
    case "month-day":
      if (isSet) return true;
      if (lead !== null) return isAtEnd || isFirst || read.language === "de";
      if (read.language === "de") return fitsGerman && !(isFirst && isNamedHoliday(moment, words));
      return isAtEnd && (!isFirst || isClosed(moment, words));
    case "ordinal":
      return isAtEnd || isSet || (read.language === "de" && fitsGerman);
    case "relative":
      return (read.language === "de" || isAtEnd || isFirst) && !isDuration(moment, words);
    case "week":
    case "period":
      // "by next week" may mean its beginning or its end.
      if (lead !== null && BY.test(lead)) return false;
      return read.language === "de" || (isAtEnd && words.length - (moment.to - moment.from) >= 2);
    case "end":
      return isAtEnd || read.language === "de";
    case "holiday":
      return isSet || (lead !== null && lead !== "vor" && (isAtEnd || read.language === "de"));
  }
}

/** "in 45 minutes" after a quantity, or with a verb such as "learn", is how long something takes. */
function isDuration(moment: Moment, words: readonly Word[]): boolean {
  // "in 3 Tagen nach dem Kompost schauen"
  const isLookedAfter = words.some(({ lower }) => lower === "nach");
  if (words.some(({ lower }) => DURATION_VERBS.has(lower) && !(isLookedAfter && lower === "schauen"))) return true;
  if (moment.date?.read.minutes === undefined) return false;
  const before = words[moment.from - 1];
  // "bloods bed 7 in 2 hours"
  if (before !== undefined && QUANTITY.test(before.lower)) return !isNumbered(words[moment.from - 2]?.lower ?? "");
  return before !== undefined && QUANTITY.test(words[moment.from - 2]?.lower ?? "") && !UNITS.has(before.lower);
}

/** "Mo Müll raus", but not "Do it yourself", "Di Caprio" and "Fr Müller". */
function leadsGerman({ to }: Moment, words: readonly Word[]): boolean {
  const [first = "", next = ""] = [words[0]?.text, words[to]?.text];
  if (to !== 1 || words[to]?.isSigil !== false || !/^\p{Lu}\p{Ll}/u.test(next) || NAMES.test(next)) return false;
  if (/^(?:Mo|Di|Mi|Sa)$/.test(first)) return true;
  return first === "Do" && words.slice(to).some(({ lower }) => GERMAN_WORD.test(lower));
}

const NAMES = /^(?:Caprio|Maria|Lorenzo|Stefano|Casa|Salah|Farah)$/;
const GERMAN_WORD = /[äöüß]|^(?:mit|und|für|bei|um|zum|zur|vom|im|nach|raus|rein|ab|weg|der|die|das|eine?n?|keine?n?)$/;

/** "wash car sat" and "compost delivery wed", but not "get more sun" and "where the cat sat" */
function isDoneOn(moment: Moment, words: readonly Word[]): boolean {
  const [first, before] = [words[0]?.lower ?? "", words[moment.from - 1]];
  const isObject = moment.from > 1 && before !== undefined && !before.isSigil && !NO_OBJECT.test(before.lower);
  const isSun = words[moment.date?.range.from ?? 0]?.lower === "sun" && /^(?:get|give|go)$/.test(first);
  const isShort = /^(?:sat|wed)$/.test(words[moment.date?.range.from ?? 0]?.lower ?? "");
  const isNoun = isShort && !CLAUSE_STARTS.has(first) && !SUBJECTS.test(first);
  const mayBeDone = TASK_VERBS.has(first) || isNoun;
  return mayBeDone && isObject && !isSun && isClosed(moment, words);
}

/** With these, "sat" may be what somebody did: "Where the cat sat". */
const SUBJECTS = /^(?:where|what|the|a|an|my|our|his|her|their)$/;

const NO_OBJECT =
  /^(?:the|a|an|some|any|more|less|no|and|or|in|of|to|for|from|against|into|with|without|my|your|our|their|his|her|this|that|i|we|he|she|it|they|who|you|morning|evening|midday|full|direct|hot)$/;

function isNamedHoliday({ date }: Moment, words: readonly Word[]): boolean {
  const [first, second] = [words[date?.range.from ?? 0], words[(date?.range.from ?? 0) + 1]];
  return /^(?:1\. mai|3\. oktober|1\. april)$/.test(`${first?.lower ?? ""} ${second?.lower ?? ""}`);
}
