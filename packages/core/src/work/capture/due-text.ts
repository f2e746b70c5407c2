import { dateOf, parseDay, partsOf, weekdayOf } from "./calendar-day.ts";
import type { CaptureContext, CapturedPart, CapturedRepeat, CapturedTask } from "./captured-task.ts";
import type { DayContext } from "./day-read.ts";
import { readDay } from "./day-words.ts";
import { momentContext } from "./moment-context.ts";
import { endOfMoment, isDayBefore, isDeadline, isDue } from "./moment-rules.ts";
import { readMoment, type Moment } from "./moments.ts";
import { EXCEPT, mentionsRepeat, readRepeat, type Repeat } from "./repeats.ts";
import { namesWeekdays } from "./rule-weekdays.ts";
import type { Sigil, TextRange } from "./sigils.ts";
import { charactersOf, textOf } from "./text-ranges.ts";
import { wordsOf, type Word } from "./words.ts";

interface ReadDue {
  readonly ranges: readonly TextRange[];
  readonly parts: readonly CapturedPart[];
  readonly fields: Pick<CapturedTask, "dueDate" | "dueTime" | "repeat" | "repeatFrom">;
}

const NOT_DUE: ReadDue = { ranges: [], parts: [], fields: {} };

/** Finds when the task is due. Two days, or two times, contradict each other: then none is read. */
export function readDue(
  text: string,
  { sigils, isRefused }: { sigils: readonly Sigil[]; isRefused: (text: string) => boolean },
  context: CaptureContext,
): ReadDue {
  const isDueRead = context.except?.has("due") !== true;
  const isRepeatRead = context.readsRepeats === true && context.except?.has("repeat") !== true;
  if (!isDueRead && !isRepeatRead) return NOT_DUE;
  const words = wordsOf(text, sigils);
  const moments = withYearly(words, momentContext(context));
  let found: { moment: Moment; ranges: TextRange[] }[] = [];
  const repeats: { repeat: Repeat; range: TextRange }[] = [];
  let hasRepeat = false;
  for (let index = 0; index < words.length;) {
    const repeat = readRepeat(words, index, moments);
    if (repeat !== null) {
      hasRepeat = true;
      const range = charactersOf(words, repeat);
      if (!isRefused(textOf(text, range))) repeats.push({ repeat, range });
      index = repeat.to;
      continue;
    }
    const moment = isDueRead ? readMoment(words, index, moments) : null;
    if (moment !== null && isDue(moment, words, moments)) {
      const ranges = moment.ranges.map((range) => charactersOf(words, range));
      if (!ranges.some((range) => isRefused(textOf(text, range)))) found.push({ moment, ranges });
    }
    index = Math.max(moment === null ? 0 : endOfMoment(moment, words), index + 1);
  }
  // A repetition that is not understood leaves nothing else that is certain.
  if (hasRepeat ? words.some(({ lower }) => EXCEPT.test(lower)) : mentionsRepeat(words)) return NOT_DUE;
  const [first, second] = repeats;
  if (first !== undefined && (!isRepeatRead || second !== undefined)) return NOT_DUE;
  // A date that was chosen is not contradicted by the words.
  if (!isDueRead && (first?.repeat.start ?? first?.repeat.minutes ?? null) !== null) return NOT_DUE;
  const deadlines = found.filter(({ moment }) => isDeadline(moment));
  // "Sign up for the run on June 5 by Friday"
  if (deadlines.length === 1)
    found = found.filter(({ moment }) => moment.day === null || moment === deadlines[0]?.moment);
  const dates = found.filter(({ moment }) => moment.day !== null);
  const times = found.filter(({ moment }) => moment.minutes !== null);
  if (dates.length > 1 || times.length > 1) return NOT_DUE;
  if (dates.length === 0 && first === undefined && times.length > 0 && hasOtherDay(words, moments)) return NOT_DUE;
  if (found.length === 0) return first === undefined ? NOT_DUE : repeated(text, first, NOT_DUE);
  const fields = dueOf(
    { ...found[0]?.moment, ...pickDay(dates[0]?.moment), ...pickMinutes(times[0]?.moment) },
    moments,
  );
  if (fields === null) return NOT_DUE;
  const ranges = found.flatMap((one) => one.ranges);
  const value = fields.dueTime === undefined ? fields.dueDate : `${fields.dueDate} ${fields.dueTime}`;
  const due: ReadDue = {
    ranges,
    fields,
    parts: [{ field: "due", text: ranges.map((range) => textOf(text, range)).join(" … "), value }],
  };
  if (first === undefined) return due;
  if (!isFirstOf(first.repeat, found)) return NOT_DUE;
  // A time alone is that of the rule's first day.
  const { dueDate: _, ...time } = fields;
  return repeated(text, first, dates.length === 0 ? { ranges, parts: [], fields: time } : due);
}

/** A date beside "every year" is the next one, however recent the last one was. */
function withYearly<Context extends DayContext>(words: readonly Word[], context: Context): Context {
  const isYearly = words.some((_, index) => readRepeat(words, index, context)?.rule.startsWith("FREQ=YEARLY"));
  return isYearly ? { ...context, isYearly } : context;
}

/** Whether a text has a day that was not read, so that its time may be of that day. */
function hasOtherDay(words: readonly Word[], context: DayContext): boolean {
  return words.some(({ lower }, index) => {
    const kind = readDay(words, index, context)?.kind;
    return (kind !== undefined && kind !== "ordinal") || namesWeekdays(lower);
  });
}

/** Whether the days and times that were found can be the first of a repetition. */
function isFirstOf({ start, minutes, days, monthDay }: Repeat, found: readonly { moment: Moment }[]): boolean {
  return found.every(({ moment: { day, minutes: time } }) => {
    if ((day !== null && start !== null) || (time !== null && minutes !== null)) return false;
    const isNamed = day === null || days.length === 0 || days.includes(weekdayOf(day));
    return isNamed && (day === null || monthDay === null || partsOf(day).dayOfMonth === monthDay);
  });
}

function pickDay(moment: Moment | undefined) {
  return { day: moment?.day ?? null, date: moment?.date ?? null };
}

function pickMinutes(moment: Moment | undefined) {
  return { minutes: moment?.minutes ?? null };
}

function repeated(text: string, { repeat, range }: { repeat: Repeat; range: TextRange }, due: ReadDue): ReadDue {
  const fields = fieldsOf(repeat, due.fields);
  const isShown = due.parts.length > 0;
  const value = [fields.repeat, ...(isShown ? [] : [fields.dueDate, fields.dueTime])];
  const words = [...(isShown ? [] : due.ranges), range].toSorted((a, b) => a.start - b.start);
  const part = {
    field: "repeat" as const,
    text: words.map((one) => textOf(text, one)).join(" … "),
    value: value.filter((one) => one !== undefined).join(" "),
  };
  return {
    ranges: [...due.ranges, range],
    parts: [...due.parts, part],
    fields,
  };
}

/** The fields of a repetition; a day or time that it does not name is that of the due date. */
export function fieldsOf(
  { rule, start, minutes, isFromCompletion }: Repeat,
  { dueDate, dueTime }: Pick<CapturedTask, "dueDate" | "dueTime">,
): CapturedRepeat {
  const day = start === null ? dueDate : dateOf(start);
  const time = minutes === null ? dueTime : toTime(minutes);
  return {
    repeat: rule,
    ...(isFromCompletion && { repeatFrom: "completion" as const }),
    ...(day !== undefined && { dueDate: day }),
    ...(time !== undefined && { dueTime: time }),
  };
}

/** The due date and time of a moment: a time without a day, or with the weekday of today, is the next such time. */
export function dueOf(
  moment: Pick<Moment, "date" | "day" | "minutes">,
  { today, minutesNow }: DayContext & { readonly minutesNow: number },
): { dueDate: string; dueTime?: string } | null {
  const { minutes } = moment;
  let { day } = moment;
  if (day === null) {
    if (minutes === null) return null;
    day = minutes > minutesNow ? today : today + 1;
  } else if (isDayBefore(moment)) day -= 1;
  else if (moment.date?.read.isTodayAsWell === true && minutes !== null && minutes > minutesNow) day = today;
  if (day < today || day > LAST_DAY) return null;
  return { dueDate: dateOf(day), ...(minutes !== null && { dueTime: toTime(minutes) }) };
}

const LAST_DAY = parseDay("9999-12-31") ?? 0;

function toTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
