import { formatDueDate } from "../../dates/date-format.ts";
import { nextWeek, toPlainDate, todayOf, type Day } from "../../dates/day.ts";
import { isOpen, type Task } from "./task.ts";

/** For how long a task that came back is marked as such. */
const MARKED_MS = 24 * 60 * 60 * 1000;
const MONDAY = 1;
const MORNING = "09:00";

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

/** A moment to which a task can be snoozed, by its name. */
export interface SnoozeChoice {
  readonly label: string;
  readonly until: Date;
}

/** The moments that are usually meant, soonest first. */
export function snoozeChoices(now: Date, firstWeekday: number): SnoozeChoice[] {
  const today = todayOf(now);
  const saturday = nextWeek(today, MONDAY) - 2;
  const laterToday = new Date(now.getTime() + 3 * 60 * 60 * 1000);
  laterToday.setMinutes(0, 0, 0);
  const choices = [
    { label: "Later today", until: laterToday },
    { label: "This evening", until: snoozeEnd(toPlainDate(today), "19:00") },
    { label: "Tomorrow", until: snoozeEnd(toPlainDate(today + 1)) },
    { label: "This weekend", until: snoozeEnd(toPlainDate(saturday)) },
    { label: "Next week", until: snoozeEnd(toPlainDate(nextWeek(today, firstWeekday))) },
  ];
  return choices.filter(
    ({ label, until }) =>
      until > now &&
      !(label === "Later today" && (todayOf(until) !== today || until.getHours() >= 19)) &&
      !(label === "This weekend" && saturday <= today + 1),
  );
}

/** The instant of a date and time here; without a time in the morning. */
export function snoozeEnd(dueDate: string, dueTime: string = MORNING): Date {
  return new Date(`${dueDate}T${dueTime}:00`);
}
