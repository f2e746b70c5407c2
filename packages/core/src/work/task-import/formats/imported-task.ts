import type { WallClock } from "../../capture/captured-task.ts";
import { isPlainDate, parseDueDate } from "../../tasks/due-date.ts";
import { parseRepeatRule, RepeatRuleError } from "../../recurrence/repeat-rule.ts";
import { firstDueDate, type RepeatOrigin } from "../../recurrence/repeated-due.ts";
import { normalizeTags } from "../../tasks/tags.ts";
import type { TaskStatus } from "../../tasks/task-status.ts";

const MAX_TITLE = 500;
const MAX_DESCRIPTION = 100_000;
const TOO_LONG = "has more than 100,000 characters";
const MAX_PROJECT = 200;
const MAX_TAG = 100;
const MAX_TAGS = 100;
const MAX_REMINDERS = 10;
const MAX_MINUTES_BEFORE = 60 * 24 * 366;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** A task as an export describes it. Texts are as long as they are there. */
export interface ImportedTask {
  /** Identifies the task within all exports of its format, so that importing it again does not create it again. */
  readonly key: string;
  /** Where it is in the export, for people: a line or a position. */
  readonly place: string;
  readonly title: string;
  /** Paragraphs, empty ones included. */
  readonly description: readonly string[];
  readonly status: TaskStatus;
  /** 1 low, 2 medium, 3 high. */
  readonly priority: 1 | 2 | 3;
  readonly project: string | null;
  /** A date, or a date-time. */
  readonly dueDate: string | null;
  /** HH:MM on a due date without a time, or on the dates of a repetition. */
  readonly dueTime: string | null;
  /** An iCalendar rule. */
  readonly repeat: string | null;
  readonly repeatFrom: RepeatOrigin;
  /** The zone of the days of the repetition; null for the server's. */
  readonly repeatTimezone: string | null;
  readonly snoozedUntil: Date | null;
  readonly checklist: readonly { readonly text: string; readonly isDone: boolean }[];
  /** How other tasks of the export refer to this one; its key by default. */
  readonly ref: string | null;
  /** The task that it is a part of. */
  readonly parent: ImportedRef | null;
  /** What has to be done first. */
  readonly blockedBy: readonly ImportedRef[];
  readonly relatesTo: readonly ImportedRef[];
  /** The paths of notes that it is linked to. */
  readonly notes: readonly string[];
  readonly reminders: readonly ImportedReminder[];
  readonly tags: readonly string[];
  readonly createdAt: Date | null;
  readonly completedAt: Date | null;
}

/** Another task of the export. */
export interface ImportedRef {
  readonly ref: string;
  readonly title: string;
}

/** Minutes before the task is due, or a time. */
export type ImportedReminder =
  { readonly minutesBefore: number; readonly at: null } | { readonly minutesBefore: null; readonly at: Date };

/** An entry of an export that does not become a task, and why. */
export interface SkippedEntry {
  readonly place: string;
  readonly title: string;
  readonly reason: string;
}

export type ImportEntry = ImportedTask | SkippedEntry;

/** When and where an export is read. */
export interface ReadContext {
  readonly now: Date;
  /** The server's zone, for times without one. */
  readonly timeZone: string;
  /** The local time in a number of minutes from now. */
  readonly wallClock: (minutesFromNow: number) => WallClock;
}

/**
 * Reads the entries of an export, in their order. Throws InvalidInputError at `content` if it is not in the format: the message says
 * what was expected.
 */
export type ReadExport = (content: string, context: ReadContext) => AsyncIterable<ImportEntry>;

/** What an export says nothing about. */
export const PLAIN_TASK = {
  description: [],
  status: "todo",
  priority: 2,
  project: null,
  dueDate: null,
  dueTime: null,
  repeat: null,
  repeatFrom: "due",
  repeatTimezone: null,
  snoozedUntil: null,
  checklist: [],
  ref: null,
  parent: null,
  blockedBy: [],
  relatesTo: [],
  notes: [],
  reminders: [],
  tags: [],
  createdAt: null,
  completedAt: null,
} as const satisfies Partial<ImportedTask>;

/** A text that is longer than a task with its markup can be, which is not even read. */
export const MAX_ENTRY_CHARACTERS = 200_000;

export function tooLong(place: string, title: string): SkippedEntry {
  return { place, title: cut(oneLine(title.slice(0, MAX_TITLE + 1)), MAX_TITLE), reason: TOO_LONG };
}

/** Makes keys of tasks that have no id in their export: equal texts are told apart by how often they occurred before. */
export function createTextKeys(): (...texts: readonly string[]) => string {
  const counts = new Map<string, number>();
  return (...texts) => {
    const text = JSON.stringify(texts);
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    return `${text}:${count}`;
  };
}

/** A time that an export names, if it is one. Some write year 1 for none. */
export function toTime(text: unknown): Date | null {
  if (typeof text !== "string" || text === "") return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1970 ? null : time;
}

/**
 * The task with texts as long as a task may have them. A longer title is cut, and stands in the description as a whole; a name that is too
 * long is left to the description. A task without a title, or with more text than a task can hold, is skipped.
 */
export function fitTask(task: ImportedTask, { now, timeZone }: Pick<ReadContext, "now" | "timeZone">): ImportEntry {
  const { place } = task;
  const title = cut(oneLine(task.title), MAX_TITLE);
  if (title === "") return { place, title, reason: "has no title" };
  const project = task.project === null ? null : oneLine(task.project);
  const hasProject = project !== null && project !== "" && project.length <= MAX_PROJECT;
  const tags = normalizeTags(task.tags.map(oneLine));
  const fitting = tags.filter((tag) => tag.length <= MAX_TAG).slice(0, MAX_TAGS);
  const dueDate = task.dueDate === null ? null : parseDueDate(task.dueDate);
  // What is done does not repeat any more; who finished it elsewhere has the next one.
  const isOpen = task.status !== "done";
  const repeat = isOpen && task.repeat !== null && isPossible(task, { now, timeZone }) ? task.repeat : null;
  const description = [
    ...(title === oneLine(task.title) ? [] : [task.title.replaceAll("\u0000", "").toWellFormed()]),
    ...task.description.map((line) => line.replaceAll("\u0000", "").toWellFormed()),
    ...(isOpen && repeat === null && task.repeat !== null ? [`Repeats: ${task.repeat}`] : []),
    ...(hasProject || project === null || project === "" ? [] : [`Project: ${project}`]),
    ...(fitting.length === tags.length ? [] : [`Tags: ${tags.filter((tag) => !fitting.includes(tag)).join(", ")}`]),
  ];
  const length = description.reduce((sum, line) => sum + line.length + 1, 0);
  if (length > MAX_DESCRIPTION) return { place, title, reason: TOO_LONG };
  const isPlain = dueDate === null ? repeat !== null : isPlainDate(dueDate);
  const hasTime = isPlain && TIME.test(task.dueTime ?? "");
  return {
    ...task,
    title,
    description,
    project: hasProject ? project : null,
    dueDate,
    dueTime: hasTime ? task.dueTime : null,
    repeat,
    parent: task.parent && fitRef(task.parent),
    blockedBy: task.blockedBy.map(fitRef),
    relatesTo: task.relatesTo.map(fitRef),
    reminders: isOpen ? fitReminders(task.reminders, dueDate !== null || repeat !== null, now) : [],
    tags: fitting,
  };
}

/** Whether a task can have the rule. One without a date needs a first one. */
function isPossible(
  { repeat, dueDate, dueTime }: ImportedTask,
  { now, timeZone }: Pick<ReadContext, "now" | "timeZone">,
): boolean {
  try {
    parseRepeatRule(repeat ?? "");
    return dueDate !== null || firstDueDate({ repeat: repeat ?? "", dueTime, zone: timeZone }, now) !== null;
  } catch (error) {
    if (error instanceof RepeatRuleError) return false;
    throw error;
  }
}

/** Those that a task can have and that have not passed, once each. */
function fitReminders(reminders: readonly ImportedReminder[], isDue: boolean, now: Date): ImportedReminder[] {
  const possible = reminders.filter(({ minutesBefore, at }) =>
    at === null ? isDue && minutesBefore >= 0 && minutesBefore <= MAX_MINUTES_BEFORE : at > now,
  );
  const distinct = new Map(
    possible.map((reminder) => [reminder.at?.getTime() ?? `-${reminder.minutesBefore}`, reminder]),
  );
  return [...distinct.values()].slice(0, MAX_REMINDERS);
}

function fitRef({ ref, title }: ImportedRef): ImportedRef {
  return { ref, title: cut(oneLine(title), MAX_TITLE) };
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .toWellFormed();
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
