import { dayIn, wallClockIn } from "../../platform/time-zone.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface RemindedTask {
  readonly dueDate: string | null;
  readonly dueTime: string | null;
}

/** "due today at 15:00", in the reminder's zone; null for a task without a date. */
export function dueText({ dueDate, dueTime }: RemindedTask, timezone: string, now: Date): string | null {
  if (dueDate === null) return null;
  const due = dueDate.includes("T") ? wallClockIn(timezone, new Date(dueDate)) : { date: dueDate, time: dueTime };
  const time = due.time === null ? "" : ` at ${due.time}`;
  return `due ${nameOf(due.date, timezone, now)}${time}`;
}

function nameOf(day: string, timezone: string, now: Date): string {
  const today = dayIn(timezone, now);
  const days = Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS);
  return (
    new Map([
      [-1, "yesterday"],
      [0, "today"],
      [1, "tomorrow"],
    ]).get(days) ?? `on ${day}`
  );
}
