import { formatDueDate } from "../../dates/date-format.ts";
import type { Day } from "../../dates/day.ts";
import { isOpen, type Task } from "./task.ts";

/** For how long a task that came back is marked as such. */
const MARKED_MS = 24 * 60 * 60 * 1000;

/** Whether a task is out of sight until later. */
export function isSnoozed(task: Task, now: number): boolean {
  return task.snoozedUntil !== null && isOpen(task) && Date.parse(task.snoozedUntil) > now;
}

/** Whether a task has come back from a snooze recently. */
export function isBack(task: Task, now: number): boolean {
  if (task.snoozedUntil === null || !isOpen(task)) return false;
  const sinceMs = now - Date.parse(task.snoozedUntil);
  return sinceMs >= 0 && sinceMs < MARKED_MS;
}

/** "Tomorrow 9:00" */
export function formatSnooze(until: string, today: Day): string {
  return formatDueDate(until, today);
}
