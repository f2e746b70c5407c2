import { isCountedBefore, isInClause, isInCondition } from "./clauses.ts";
import type { DayContext } from "./day-read.ts";
import { isDueDay, standsAlone } from "./day-rules.ts";
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
import { isDueTime } from "./time-rules.ts";
import { BY, TASK_VERBS } from "./vocabulary.ts";
import { isBlocked } from "./word-before.ts";
import type { Word } from "./words.ts";

/** English words for the end of a span, which is due only if nothing before says where the span begins. */
const UNTIL = /^(?:until|till|bis)$/;

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

/** "let the plumber in 8am tomorrow", "leave early at 3 today": the word before does not belong to the time. */
function isAfterParticle({ from, time }: Moment, words: readonly Word[]): boolean {
  if (time?.range.from !== from) return false;
  const before = words[from - 1]?.lower ?? "";
  if (before === "in") return /[ap]\.?m$/.test(words[time.range.to - 1]?.lower ?? "");
  return /^(?:early|late)$/.test(before) && time.lead === "at";
}

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
