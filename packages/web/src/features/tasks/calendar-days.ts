import { dayOf, type Day } from "../../dates/day.ts";
import { byDueDate } from "./task-order.ts";
import type { Task } from "./task.ts";

/** Tasks by the day on which they are due. */
export function groupByDay(tasks: readonly Task[]): ReadonlyMap<Day, readonly Task[]> {
  const days = new Map<Day, Task[]>();
  for (const task of tasks) {
    if (task.dueDate === null) continue;
    const day = dayOf(task.dueDate);
    const group = days.get(day);
    if (group === undefined) days.set(day, [task]);
    else group.push(task);
  }
  for (const group of days.values()) group.sort(byTime);
  return days;
}

/** What has the whole day first, then by time; open before done. */
function byTime(a: Task, b: Task): number {
  const isDone = (task: Task) => Number(task.status === "done");
  return (
    isDone(a) - isDone(b) ||
    (timeOf(a) ?? "").padStart(5, "0").localeCompare((timeOf(b) ?? "").padStart(5, "0")) ||
    byDueDate(a, b)
  );
}

/** The time of day at which a task is due; null if it has the whole day. */
export function timeOf({ dueDate, dueTime }: Task): string | null {
  if (dueTime !== null) return dueTime.replace(/^0/, "");
  if (dueDate === null || dueDate.length === "2026-12-24".length) return null;
  const instant = new Date(dueDate);
  return `${instant.getHours()}:${String(instant.getMinutes()).padStart(2, "0")}`;
}
