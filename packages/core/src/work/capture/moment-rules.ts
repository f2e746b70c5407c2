import { isCountedBefore, isInClause, isInCondition } from "./clauses.ts";
import { readTime } from "./clock-time.ts";
import type { DayContext } from "./day-read.ts";
import { readDay } from "./day-words.ts";
import {
  describesObject,
  isAskedAbout,
  isBeforeEvent,
  isBesideEvent,
  isForEvent,
  isForNamed,
  isNameOfRecord,
  isOfEvent,
} from "./event-rules.ts";
import type { Moment } from "./moments.ts";
import {
  BLOCKING,
  BY,
  CLAUSE_STARTS,
  DURATION_VERBS,
  NUMBERED,
  PHRASE_STARTS,
  TASK_VERBS,
  TITLE_VERBS,
  UNITS,
  WEEKDAYS,
} from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** English words for the end of a span, which is due only if nothing before says where the span begins. */
const UNTIL = /^(?:until|till|bis)$/;
const TIME_SPAN = /^\d{1,2}(?:[:.]\d{2})?(?:am|pm)?[-–]\d/;
const QUANTITY = /^\d+(?:[.,]\d+)?(?:k|km|m|mi|miles?|kg|g|l|x)?$/;

/**
 * Whether a text that contains this day or time means that the task is due then. A day also names things: "the Monday group",
 * "read May the 4th". So where there is a choice it counts only where people put when something is to be done: after "on", "by"
 * and their like, at the end of a phrase, or where German has its adverbs.
 */
export function isDue(moment: Moment, words: readonly Word[], context: DayContext): boolean {
  if (moment.isContradictory || moment.ranges.length === 0) return false;
  if (moment.date === null) return isDueTime(moment, words);
  if (moment.day === null || moment.day < context.today) return false;
  const { lead, read } = moment.date;
  if (moment.from === moment.date.range.from && lead !== null) {
    if (STATES.test(words[moment.from - 1]?.lower ?? "") && BY.test(lead)) return false;
    if (/^(?:or|oder)$/.test(words[moment.from - 1]?.lower ?? "")) return false;
    if (UNTIL.test(lead) && endsSpan(words, moment, context)) return false;
  } else if (isBlocked(words, moment.from) && !isAfterParticle(moment, words)) return false;
  const isBy = lead !== null && BY.test(lead);
  if (isBy && (isCountedBefore(words, moment.from) || isInCondition(words, moment.from))) return false;
  if (isInClause(words, moment.from) && !isBy) return false;
  if (isOfEvent(moment, words) || isAskedAbout(moment, words) || isNameOfRecord(moment, words)) return false;
  if (/^(?:am|on)$/.test(lead ?? "") && IS.test(words[moment.from - 1]?.lower ?? "")) return false;
  if (goesOn(words, moment.to, context) || continuesList(words, moment.from, context)) return false;
  const isBare = lead === null && /^(?:month-day|slash)$/.test(read.kind) && TASK_VERBS.has(words[0]?.lower ?? "");
  const isNamed = lead === "on" || lead === "am" || isBare;
  if (isNamed && describesObject(words, moment.from, read.kind)) return false;
  const isTimed = moment.time !== null || moment.hasPart;
  if (isNamed && !isTimed && isBeforeEvent(words, moment.from)) return false;
  const isDate = lead === null && /^(?:month-day|slash|numeric)$/.test(read.kind);
  if (isDate && !isTimed && isForNamed(words, moment.from)) return false;
  if ((isNamed || lead === null) && !isTimed && isForEvent(words, moment.from)) return false;
  if (isNegated(words) || (lead === null && !isTimed && isNameOfFirm(moment, words))) return false;
  const isToday = read.kind === "adverb" && moment.day === context.today;
  if ((isNamed || lead === null) && !isToday && isBesideEvent(words, moment.from)) return false;
  if (read.needsLead === true && lead === null && !standsAlone(moment, words, context)) return false;
  return isDueDay(moment, words);
}

/** Whether the word before belongs to the moment and says that it is not when the task is due. */
function isBlocked(words: readonly Word[], from: number): boolean {
  const before = words[from - 1];
  if (before === undefined || before.isSigil) return false;
  // "Text Amy re: Thursday"
  if (before.endsPhrase) return SUBJECT_MARKS.test(before.lower);
  // "sign up for swimming, starts Dec 5"
  const isStart = words[from - 2]?.endsPhrase === true && STARTS.test(before.lower);
  return isStart || BLOCKING.has(before.lower) || isTitleOfPerson(before, words[from]);
}

/** "Prof. Freitag", but not "email prof friday" */
function isTitleOfPerson({ text, lower }: Word, name: Word | undefined): boolean {
  const isGerman = WEEKDAYS.get(name?.lower ?? "")?.language === "de";
  return PERSON_TITLES.test(lower) && (isGerman || /^\p{Lu}/u.test(text));
}

const PERSON_TITLES = /^(?:prof|professor|professorin|doktor|pfarrer|pfarrerin|pastor|familie|fräulein|miss|sir)$/;

/** "let the plumber in 8am tomorrow", "leave early at 3 today": the word before does not belong to the time. */
function isAfterParticle({ from, time }: Moment, words: readonly Word[]): boolean {
  if (time?.range.from !== from) return false;
  const before = words[from - 1]?.lower ?? "";
  if (before === "in") return /[ap]\.?m$/.test(words[time.range.to - 1]?.lower ?? "");
  return /^(?:early|late)$/.test(before) && time.lead === "at";
}

const SUBJECT_MARKS = /^(?:re|aw|betreff|betr|wg)$/;
const STARTS = /^(?:starts?|begins?|beginn|beginnt|startet|opens?|einlass|anpfiff)$/;

/** "they're due Thursday", "gültig bis 31.12." */
const STATES =
  /^(?:is|are|was|were|it's|that's|they're|ist|sind|war|waren|valid|open|good|off|gilt|gelten|liegt|gültig|offen|geöffnet)$/;

const SPANNED = /^(?:after|nach|ab)$/;

/** Where what is read as a moment ends: a name such as "Herrn Freitag" does not belong to the day that follows. */
export function endOfMoment(moment: Moment, words: readonly Word[]): number {
  const { date } = moment;
  if (date === null) return moment.to;
  const isName = moment.isContradictory && date.lead === null && isBlocked(words, moment.from);
  // "after 5pm today"
  const isTimeApart = moment.time?.range.from === moment.from && SPANNED.test(words[moment.from - 1]?.lower ?? "");
  return isName ? date.range.to : isTimeApart ? date.range.from : moment.to;
}

/** Whether "until Friday" is the end of a span that the words before begin. */
function endsSpan(words: readonly Word[], { from, day, date }: Moment, context: DayContext): boolean {
  for (const count of [1, 2]) {
    const read = readDay(words, from - count, context);
    const isNumber = read?.kind === "numeric" && read.needsLead === true;
    if (read?.count !== count || isNumber) continue;
    // "der Lauf am 5. Juni, Anmeldung bis Silvester" ends before it begins.
    const isBackward = read.day !== null && day !== null && day < read.day;
    return read.isRecent !== true && (!isBackward || (read.kind === "weekday" && date?.read.kind === "weekday"));
  }
  return false;
}

/** Whether a word such as "to" or "and" and another day follow, or a number as in "Friday the 13th". */
function goesOn(words: readonly Word[], to: number, context: DayContext): boolean {
  const next = words[to]?.lower ?? "";
  if (/^(?:is|ist|was|war|will|wird|or|oder)$/.test(next)) return true;
  return /^(?:to|until|till|bis|and|und|&|\+|the|der|den)$/.test(next) && readDay(words, to + 1, context) !== null;
}

/** Whether "and" and another day are before. */
function continuesList(words: readonly Word[], from: number, context: DayContext): boolean {
  // "Book hotel for 12/24 - 12/27"
  const isEnd = words[from - 1]?.isDashed === true && readDay(words, from - 1, context)?.count === 1;
  return (
    isEnd ||
    (/^(?:and|und|or|oder|&|\+)$/.test(words[from - 1]?.lower ?? "") && readDay(words, from - 2, context)?.count === 1)
  );
}

/** "Fa. Sonntag", "Mittwoch & Söhne" */
function isNameOfFirm({ from, to, date }: Moment, words: readonly Word[]): boolean {
  if (date?.read.kind !== "weekday") return false;
  return /^(?:firma|fa|fam)$/.test(words[from - 1]?.lower ?? "") || (from === 0 && words[to]?.lower === "&");
}

const IS = /^(?:is|are|ist|sind)$/;

/** "No sugar until Christmas" has no day on which it is done. */
function isNegated(words: readonly Word[]): boolean {
  return (
    /^(?:no|not|never|don't|kein|keine|keinen|nicht|nie)$/.test(words[0]?.lower ?? "") &&
    !FORGET.test(words[1]?.lower ?? "")
  );
}

const FORGET = /^(?:forget|later|vergessen|mehr)$/;

/** Whether an English weekday at the end of a row of capitalized words belongs to a title or a name. */
function endsTitle(words: readonly Word[], from: number): boolean {
  const isCapitalized = (index: number) => index > 0 && /^\p{Lu}/u.test(words[index]?.text ?? "");
  const isTitle = isCapitalized(from - 1) && isCapitalized(from - 2) && isCapitalized(from - 3);
  return isTitle || (isCapitalized(from - 1) && TITLE_VERBS.has(words[0]?.lower ?? ""));
}

/** Whether a word with other meanings, such as "sun", can only be a weekday where it stands. */
function standsAlone(moment: Moment, words: readonly Word[], context: DayContext): boolean {
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

function isDueDay(moment: Moment, words: readonly Word[]): boolean {
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

function isDueTime(moment: Moment, words: readonly Word[]): boolean {
  const { time } = moment;
  if (time === null || isInClause(words, moment.from)) return false;
  const { read, lead } = time;
  // "tickets for the train at 9:14"
  const isOfRide = RIDES.test(words[moment.from - 1]?.lower ?? "") && OF_THE.test(words[moment.from - 2]?.lower ?? "");
  if (isOfRide) return false;
  // "Fast until noon" says how long.
  if (lead === "until" || lead === "till") return false;
  if (lead === null && isBlocked(words, moment.from)) return false;
  switch (read.form) {
    case "certain":
    case "clock": {
      const before = words[moment.from - 1];
      // "measure up at 14 Mill Lane"
      if (lead === "at" && /^\d{1,2}$/.test(words[moment.from + 1]?.lower ?? "") && read.count === 1)
        return isPhraseEnd(moment, words);
      // "UA 9 am" begins with the number of a flight.
      if (lead !== null) return true;
      if (NUMBERED.has(before?.lower ?? "") || /^[A-Z]{2}$/.test(before?.text ?? "")) return false;
      // "the 9pm rule"
      if (isBeforeRepeat(moment, words)) return true;
      if (read.language === "en") return moment.from === 0 || isPhraseEnd(moment, words);
      const isWithUnit = time.range.to - time.range.from > 1;
      if (isWithUnit || !/^\d{1,2}:\d{2}$/.test(words[time.range.from]?.lower ?? "")) return true;
      // "14:00 quote for the decking"
      if (moment.from === 0 && read.minute % 15 === 0 && read.hour >= 7 && words.length > 2) return true;
      // Without a preposition 16:9 and 3:16 may be anything, and 1:20 may be how something is mixed.
      if (words.some(({ lower }) => RATIOS.test(lower))) return false;
      return moment.from > 0 && isClosed(moment, words) && read.minute % 5 === 0;
    }
    case "oclock":
      return true;
    case "bare":
    case "spoken":
      return lead !== null && (isPhraseEnd(moment, words) || read.language === "de");
  }
}

/** "Art.-Nr. 12.04.33" */
function isNumbered(word: string): boolean {
  return NUMBERED.has(word) || /-(?:nr|no|nummer)$/.test(word);
}

const RATIOS = /^(?:dilute|mix|ratio|scale|odds|verdünnen|mischen|mischung|maßstab|verhältnis)$/;
const OF_THE = /^(?:the|a|die|der|das|den|dem|einen?|im|vom|zum|zur)$/;
const RIDES = /^(?:train|bus|flight|ferry|tram|zug|ice|bus|flug|fähre|bahn|s-bahn)$/;

/** "9:15 every weekday", "3:20pm Mondays" */
function isBeforeRepeat({ to }: Moment, words: readonly Word[]): boolean {
  return /^(?:every|each|jede[nrs]?|daily|täglich|[a-z]+days)$/.test(words[to]?.lower ?? "");
}

/** Whether nothing follows that the moment could describe. */
function isPhraseEnd(moment: Moment, words: readonly Word[]): boolean {
  const next = words[moment.to];
  if (isClosed(moment, words) || next === undefined) return true;
  // "sunday 9"
  if (/^\d{1,2}(?:[:.]\d{2})?$/.test(next.lower) && isLastIn(words, moment.to)) return true;
  const isSpan = /^\d{1,2}$/.test(next.lower) && /^(?:to|bis)$/.test(words[moment.to + 1]?.lower ?? "");
  return PHRASE_STARTS.has(next.lower) || TIME_SPAN.test(next.lower) || isSpan;
}

function isLastIn(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  return next === undefined || next.isSigil || words[index]?.endsPhrase === true;
}

/** Whether the text, or its sentence, ends here. */
function isClosed(moment: Moment, words: readonly Word[]): boolean {
  const next = words[moment.to];
  return next === undefined || next.isSigil || pausesAfter(moment, words);
}

function pausesAfter(moment: Moment, words: readonly Word[]): boolean {
  return words[moment.to - 1]?.endsPhrase === true;
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

/** Whether a moment is named as the latest one: "by Friday", "bis spätestens 1.12.". */
export function isDeadline({ date }: Moment): boolean {
  return date !== null && BY.test(date.lead ?? "");
}

/** Whether a deadline is the day before the one that is named: "before Friday", but not "before the end of the month". */
export function isDayBefore(moment: Pick<Moment, "date" | "minutes">): boolean {
  if (moment.date === null || moment.date.read.kind === "end") return false;
  const { lead } = moment.date;
  return (lead === "before" || lead === "b4" || lead === "vor") && moment.minutes === null;
}
