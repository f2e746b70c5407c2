import { dateOf, parseDay } from "../capture/calendar-day.ts";
import { instantIn, wallClockIn } from "../../platform/time-zone.ts";
import { firstDate, nextDate } from "./next-date.ts";
import { formatRepeatRule, parseRepeatRule } from "./repeat-rule.ts";

const MINUTE_MS = 60_000;

/** From what a repeating task counts: from the date on which it was due, or from the day on which it is done. */
export const REPEAT_ORIGINS = ["due", "completion"] as const;
export type RepeatOrigin = (typeof REPEAT_ORIGINS)[number];

/** What of a task says when it is due again. */
export interface RepeatingTask {
  /** A plain date, or a UTC date-time. */
  readonly dueDate: string | null;
  readonly dueTime: string | null;
  readonly repeat: string | null;
  readonly repeatFrom: RepeatOrigin;
  /** The zone of its days; null for the server's. */
  readonly repeatTimezone: string | null;
}

export interface RepeatedAt {
  readonly now: Date;
  /** The server's. */
  readonly timeZone: string;
}

/** When the task is due again, and with which rule it goes on from there. */
export interface Repetition {
  readonly dueDate: string;
  readonly repeat: string;
}

/**
 * When a task that is done now is due again: after its due date or after today, and never in the past. Null if it does not repeat,
 * or not any more. The time of day stays the same on the clock, also when clocks have been set in between.
 */
export function repetitionOf(task: RepeatingTask, { now, timeZone }: RepeatedAt): Repetition | null {
  if (task.repeat === null) return null;
  const zone = task.repeatTimezone ?? timeZone;
  const clock = wallClockIn(zone, now);
  const due = dueIn(zone, task);
  const isFromDue = task.repeatFrom === "due" && due !== null;
  const from = isFromDue ? due.date : clock.date;
  const next = nextDate(parseRepeatRule(task.repeat), { from, after: isFromDue ? lastPassed(due, clock) : from });
  if (next === null) return null;
  const { date, rule } = next;
  return { dueDate: withDate(zone, task.dueDate, date), repeat: formatRepeatRule(rule) };
}

/**
 * When a task begins that has a rule and no date: today, if that is one and its time has not passed. Null if the rule has no date that
 * is near.
 */
export function firstDueDate(
  { repeat, dueTime, zone }: { repeat: string; dueTime: string | null; zone: string },
  now: Date,
): string | null {
  const { date, time } = wallClockIn(zone, now);
  const rule = parseRepeatRule(repeat);
  const first = firstDate(rule, date);
  const hasPassed = first === date && dueTime !== null && dueTime <= time;
  return hasPassed ? (nextDate(rule, { from: date, after: date })?.date ?? null) : first;
}

interface Due {
  readonly date: string;
  readonly time: string | null;
}

function dueIn(zone: string, { dueDate, dueTime }: RepeatingTask): Due | null {
  if (dueDate === null) return null;
  return dueDate.includes("T") ? wallClockIn(zone, new Date(dueDate)) : { date: dueDate, time: dueTime };
}

/** The due date, or the last date that has passed: today has passed as well, unless its time is still to come. */
function lastPassed(due: Due, clock: { date: string; time: string }): string {
  if (due.date >= clock.date) return due.date;
  const isToday = due.time !== null && due.time > clock.time;
  return isToday ? dateOf((parseDay(clock.date) ?? 0) - 1) : clock.date;
}

/** The due date on another day, at the same time of its zone. */
export function withDate(zone: string, dueDate: string | null, date: string): string {
  if (dueDate?.includes("T") !== true) return date;
  const before = new Date(dueDate);
  const { time } = wallClockIn(zone, before);
  return new Date(instantIn(zone, { date, time }).getTime() + (before.getTime() % MINUTE_MS)).toISOString();
}
