import type { TaskStatus } from "../tasks/task-status.ts";
import { dueOf, momentProperty, type CalendarTask } from "./calendar-task.ts";
import { instant, number, text, uri, type JCalComponent } from "./jcal.ts";

/** iCalendar has no status for `blocked`: it is something to do. */
export const TODO_STATUSES: Readonly<Record<TaskStatus, string>> = {
  todo: "NEEDS-ACTION",
  in_progress: "IN-PROCESS",
  blocked: "NEEDS-ACTION",
  done: "COMPLETED",
};
/** By priority; the usual one is not named, so that programs do not mark every task. */
export const TODO_PRIORITIES: ReadonlyMap<number, number> = new Map([
  [1, 9],
  [3, 1],
]);

export interface TodoOptions {
  /** The zone of due times that have none; null to leave them without. */
  readonly timeZone: string | null;
  /** The page of a task; null to name none. */
  readonly urlOf: ((taskId: string) => string) | null;
}

/** A task as iCalendar's own kind of task. */
export function toTodo(task: CalendarTask, { timeZone, urlOf }: TodoOptions): JCalComponent {
  const due = dueOf(task);
  const priority = TODO_PRIORITIES.get(task.priority);
  return [
    "vtodo",
    [
      text("uid", task.id),
      instant("dtstamp", task.modifiedAt),
      instant("created", task.createdAt),
      instant("last-modified", task.modifiedAt),
      text("summary", task.title),
      text("status", TODO_STATUSES[task.status]),
      ...(task.completedAt === null ? [] : [instant("completed", task.completedAt), number("percent-complete", 100)]),
      ...(due === null ? [] : [momentProperty("due", due, timeZone)]),
      ...(priority === undefined ? [] : [number("priority", priority)]),
      ...(task.description === null || task.description === "" ? [] : [text("description", task.description)]),
      ...(task.tags.length === 0 ? [] : [text("categories", ...task.tags)]),
      ...(urlOf === null ? [] : [uri("url", urlOf(task.id))]),
    ],
    [],
  ];
}
