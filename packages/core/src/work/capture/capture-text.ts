import { dateOf, parseDay, partsOf, weekdayOf } from "./calendar-day.ts";
import type { DayContext, SlashOrder } from "./day-read.ts";
import { readDay } from "./day-words.ts";
import { endOfMoment, isDayBefore, isDeadline, isDue } from "./moment-rules.ts";
import { readMoment, type Moment } from "./moments.ts";
import { EXCEPT, mentionsRepeat, namesWeekdays, readRepeat, type Repeat } from "./repeats.ts";
import { findSigils, type NamedProject, type Sigil, type TextRange } from "./sigils.ts";
import type { WordLanguage } from "./vocabulary.ts";
import { withoutTrailing, wordsOf, type Word } from "./words.ts";

export type { NamedProject } from "./sigils.ts";

/** Longer texts are not read. */
export const MAX_CAPTURE_LENGTH = 1_000;

/** A local date, `YYYY-MM-DD`, and time, `HH:MM`. */
export interface WallClock {
  readonly date: string;
  readonly time: string;
}

/** Who writes a text, and when. */
export interface CaptureContext {
  /** The writer's local time in a number of minutes from now. */
  readonly wallClock: (minutesFromNow: number) => WallClock;
  /** The writer's language as a BCP 47 tag: it decides what is ambiguous. `en` without a region leaves `3/4` unread. */
  readonly language: string;
  readonly projects: readonly NamedProject[];
  /** Fields that are not read: their words stay in the title. */
  readonly except?: ReadonlySet<CapturedField>;
  /** With which day the writer's weeks begin, 0 being Sunday; Monday by default. */
  readonly firstWeekday?: number;
  /** Whether repetitions are read; otherwise their words stay in the title. */
  readonly readsRepeats?: boolean;
  /** Texts that the writer has said are part of the title. */
  readonly refused?: readonly string[];
}

export type CapturedField = "due" | "repeat" | "tags" | "priority" | "project";

/** One thing that was understood, and the words for it. */
export interface CapturedPart {
  readonly field: CapturedField | "unknown-project";
  /** The words as they were written, which {@link CaptureContext.refused} takes. */
  readonly text: string;
  readonly value: string;
}

/** What a text says about a new task. Fields that it does not mention are missing. */
export interface CapturedTask {
  readonly title: string;
  readonly dueDate?: string;
  readonly dueTime?: string;
  readonly tags: readonly string[];
  readonly priority?: 1 | 2 | 3;
  readonly projectId?: string;
  /** An iCalendar recurrence rule. Its first date is the due date, if there is one. */
  readonly repeat?: string;
  /** Whether the rule counts from when the task is done. */
  readonly repeatFrom?: "completion";
  /** In the order of the text. */
  readonly parts: readonly CapturedPart[];
}

/**
 * Reads a task as people write it down: "Call dentist tomorrow 9am #health !high @Garden". What is not certain stays in the
 * title. If nothing would remain as a title, nothing is read.
 */
export function readTask(text: string, context: CaptureContext): CapturedTask {
  const nothing = { title: text.trim(), tags: [], parts: [] };
  if (text.length > MAX_CAPTURE_LENGTH) return nothing;
  const isRefused = refusedBy(context.refused ?? []);
  const sigils = findSigils(text, context.projects).filter(
    (sigil) => !isRefused(textOf(text, sigil)) && !isExcepted(sigil.field, context.except),
  );
  const known = sigils.filter(({ field }) => field !== "unknown-project");
  const due = readDue(text, { sigils: known, isRefused }, context);
  const removed = [...known, ...due.ranges].toSorted((a, b) => a.start - b.start);
  const title = without(text, removed);
  if (title === "") return nothing;
  const tags = [...new Set(sigils.flatMap((sigil) => (sigil.field === "tag" ? [sigil.tag] : [])))];
  const priority = sigils.find((sigil) => sigil.field === "priority")?.priority;
  const projectId = sigils.find((sigil) => sigil.field === "project")?.projectId;
  return {
    title,
    tags,
    ...due.fields,
    ...(priority !== undefined && { priority }),
    ...(projectId !== undefined && { projectId }),
    parts: inOrder(text, [...due.parts, ...sigils.map((sigil) => partOf(text, sigil))]),
  };
}

/** Reads a text that is nothing but a day, a time or both, such as "next friday 5pm"; null if it is anything else. */
export function readDueText(text: string, context: CaptureContext): { dueDate: string; dueTime?: string } | null {
  if (text.length > MAX_CAPTURE_LENGTH) return null;
  const words = wordsOf(text, []);
  const moments = momentContext(context);
  const moment = readMoment(words, 0, moments);
  if (moment === null || moment.to < words.length || moment.isContradictory || moment.ranges.length !== 1) return null;
  if (moment.date !== null && moment.day === null) return null;
  const { from, to } = moment.ranges[0] ?? { from: 1, to: 0 };
  return from === 0 && to === words.length ? dueOf(moment, moments) : null;
}

/** What a text says about when a task is to be done again. */
export type CapturedRepeat = Required<Pick<CapturedTask, "repeat">> &
  Pick<CapturedTask, "repeatFrom" | "dueDate" | "dueTime">;

/** Reads a text that is nothing but a repetition, such as "every 2 weeks at 9am until May"; null if it is anything else. */
export function readRepeatText(text: string, context: CaptureContext): CapturedRepeat | null {
  if (text.length > MAX_CAPTURE_LENGTH) return null;
  const words = wordsOf(text, []);
  const repeat = readRepeat(words, 0, momentContext(context), { isAlone: true });
  return repeat === null || repeat.to < words.length ? null : fieldsOf(repeat, {});
}

interface ReadDue {
  readonly ranges: readonly TextRange[];
  readonly parts: readonly CapturedPart[];
  readonly fields: Pick<CapturedTask, "dueDate" | "dueTime" | "repeat" | "repeatFrom">;
}

const NOT_DUE: ReadDue = { ranges: [], parts: [], fields: {} };

/** Finds when the task is due. Two days, or two times, contradict each other: then none is read. */
function readDue(
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

function fieldsOf(
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
function dueOf(
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

const MONDAY = 1;
const LAST_DAY = parseDay("9999-12-31") ?? 0;

function momentContext({
  wallClock,
  language,
  firstWeekday = MONDAY,
}: CaptureContext): DayContext & { readonly minutesNow: number } {
  const at = (minutesFromNow: number) => {
    const { date, time } = wallClock(minutesFromNow);
    const [hours, minutes] = time.split(":").map(Number);
    return { day: parseDay(date) ?? 0, minutes: (hours ?? 0) * 60 + (minutes ?? 0) };
  };
  const now = at(0);
  return {
    today: now.day,
    minutesNow: now.minutes,
    wallClock: at,
    language: languageOf(language),
    weekBegins: (firstWeekday + 6) % 7,
    slashOrder: slashOrderOf(language),
  };
}

function languageOf(tag: string): WordLanguage {
  return /^de\b/i.test(tag) ? "de" : "en";
}

/** Only the United States and what follows them write the month first; `en` alone may be any English. */
function slashOrderOf(tag: string): SlashOrder {
  if (/^en$/i.test(tag)) return null;
  return /^en-(?:[a-z]{4}-)?(?:US|PH)\b/i.test(tag) ? "month-first" : "day-first";
}

function toTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

function partOf(text: string, sigil: Sigil): CapturedPart {
  const words = textOf(text, sigil);
  switch (sigil.field) {
    case "tag":
      return { field: "tags", text: words, value: sigil.tag };
    case "priority":
      return { field: "priority", text: words, value: String(sigil.priority) };
    case "project":
      return { field: "project", text: words, value: sigil.projectId };
    case "unknown-project":
      return { field: "unknown-project", text: words, value: sigil.name };
  }
}

function isExcepted(field: Sigil["field"], except: ReadonlySet<CapturedField> | undefined): boolean {
  if (except === undefined) return false;
  return except.has(field === "tag" ? "tags" : field === "unknown-project" ? "project" : field);
}

function inOrder(text: string, parts: readonly CapturedPart[]): CapturedPart[] {
  const startOf = (part: CapturedPart) => text.indexOf(part.text.split(" … ")[0] ?? "");
  return parts.toSorted((a, b) => startOf(a) - startOf(b));
}

/** Refusing "tomorrow" also refuses "tomorrow 9am", which is what it becomes when the writer goes on. */
function refusedBy(refused: readonly string[]): (text: string) => boolean {
  const texts = refused.flatMap((text) => text.toLowerCase().split(" … ")).filter((text) => text !== "");
  return (text) => {
    const lower = text.toLowerCase();
    return texts.some((other) => lower === other || lower.startsWith(`${other} `) || lower.endsWith(` ${other}`));
  };
}

function charactersOf(words: readonly Word[], { from, to }: { from: number; to: number }): TextRange {
  return { start: words[from]?.start ?? 0, end: words[to - 1]?.end ?? 0 };
}

function textOf(text: string, { start, end }: TextRange): string {
  return text.slice(start, end);
}

const SEPARATORS_AFTER = /^[,;:.)\]]+(?=\s|$)/;

/** The text without these parts and without the punctuation that separated them. */
function without(text: string, ranges: readonly TextRange[]): string {
  if (ranges.length === 0) return text.trim();
  const kept: string[] = [];
  let position = 0;
  for (const { start, end } of ranges) {
    const before = text.slice(position, start).trim();
    const isBracketed = before.endsWith("(") && text.charAt(end) === ")";
    const separators = SEPARATORS_AFTER.exec(text.slice(end, end + 10))?.[0] ?? "";
    const isComma = separators === "," && /[\p{L}\p{N}]$/u.test(before);
    kept.push((isBracketed ? before.slice(0, -1).trim() : before) + (isComma ? "," : ""));
    position = end + separators.length;
  }
  kept.push(text.slice(position).trim());
  const joined = kept.filter((part) => part !== "").join(" ");
  const isSeparator = (character: string) => /[\s,;:–—-]/.test(character);
  const title = withoutTrailing(joined.replace(/ [–—-]?(?=[?!]{1,3}(?:\s|$))/g, ""), isSeparator);
  let start = 0;
  while (isSeparator(title.charAt(start))) start += 1;
  return title.slice(start);
}
