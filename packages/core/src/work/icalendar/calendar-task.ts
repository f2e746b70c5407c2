import type { TaskStatus } from "../tasks/task-status.ts";
import { isPlainDate } from "../tasks/due-date.ts";
import type { JCalProperty } from "./jcal.ts";

/** What calendar programs are shown of a task. */
export interface CalendarTask {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: TaskStatus;
  readonly priority: number;
  readonly dueDate: string | null;
  readonly dueTime: string | null;
  readonly tags: readonly string[];
  readonly completedAt: string | null;
  readonly createdAt: string;
  readonly modifiedAt: string;
}

/** When something is: on a day, at a time of day in some or no time zone, or at an instant. */
export type Moment =
  | { readonly kind: "day"; readonly date: string }
  | { readonly kind: "time"; readonly date: string; readonly time: string }
  | { readonly kind: "instant"; readonly at: string };

/** When a task is due; null if it has no due date. */
export function dueOf({ dueDate, dueTime }: Pick<CalendarTask, "dueDate" | "dueTime">): Moment | null {
  if (dueDate === null) return null;
  if (!isPlainDate(dueDate)) return { kind: "instant", at: dueDate };
  return dueTime === null ? { kind: "day", date: dueDate } : { kind: "time", date: dueDate, time: dueTime };
}

/** A property with a moment. Without a time zone, a time of day is the same everywhere. */
export function momentProperty(name: string, moment: Moment, timeZone: string | null): JCalProperty {
  switch (moment.kind) {
    case "day":
      return [name, {}, "date", moment.date];
    case "time":
      return [name, timeZone === null ? {} : { tzid: timeZone }, "date-time", `${moment.date}T${moment.time}:00`];
    case "instant":
      return [name, {}, "date-time", `${moment.at.slice(0, 19)}Z`];
  }
}
