import { compareNames } from "../../lib/compare-names.ts";
import { STATUSES, type Task, type TaskStatus } from "./task.ts";

export const TASK_ORDERS = ["newest", "due", "priority", "title", "manual"] as const;
export type TaskOrder = (typeof TASK_ORDERS)[number];

export const TASK_ORDER_LABELS: Readonly<Record<TaskOrder, string>> = {
  newest: "Newest first",
  due: "Due date",
  priority: "Priority",
  title: "Title",
  manual: "Manual",
};

export interface TaskGroup {
  readonly status: TaskStatus;
  readonly tasks: readonly Task[];
  /** How many there are, loaded or not; undefined while that is not known. */
  readonly count: number | undefined;
}

/**
 * The tasks of each status, in the given order of statuses, sorted within each; done tasks are sorted latest-done first.
 */
export function groupByStatus(
  tasks: readonly Task[],
  order: TaskOrder,
  statuses: readonly TaskStatus[] = STATUSES,
): TaskGroup[] {
  const groups = new Map<TaskStatus, Task[]>(statuses.map((status) => [status, []]));
  for (const task of tasks) groups.get(task.status)?.push(task);
  return statuses.map((status) => {
    const compare = status === "done" && order === "newest" ? byCompletion : COMPARE[order];
    const ofStatus = groups.get(status) ?? [];
    return { status, tasks: ofStatus.toSorted(compare), count: ofStatus.length };
  });
}

type Compare = (a: Task, b: Task) => number;

/** ISO dates can be compared as plain text; `localeCompare` would be fifty times slower. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const byNewest: Compare = (a, b) => compareText(b.createdAt, a.createdAt) || compareText(b.id, a.id);

/** Latest done first. */
export const byCompletion: Compare = (a, b) => compareText(b.completedAt ?? "", a.completedAt ?? "") || byNewest(a, b);

/** Soonest first; tasks without a due date last. */
export const byDueDate: Compare = (a, b) => {
  if (a.dueDate === null || b.dueDate === null) {
    return Number(a.dueDate === null) - Number(b.dueDate === null) || byPriorityThenNewest(a, b);
  }
  // A task without a time has the whole day.
  return (
    compareText(a.dueDate, b.dueDate) ||
    compareText(a.dueTime ?? "24:00", b.dueTime ?? "24:00") ||
    byPriorityThenNewest(a, b)
  );
};

const byPriorityThenNewest: Compare = (a, b) => b.priority - a.priority || byNewest(a, b);

const byPriority: Compare = (a, b) => b.priority - a.priority || byDueDate(a, b);

/** As people have moved them; new ones last. */
export const compareManually: Compare = (a, b) =>
  compareText(a.position, b.position) || compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);

const byTitle: Compare = (a, b) => compareNames(a.title, b.title) || byNewest(a, b);

const COMPARE: Readonly<Record<TaskOrder, Compare>> = {
  newest: byNewest,
  due: byDueDate,
  priority: byPriority,
  title: byTitle,
  manual: compareManually,
};

/** How two tasks are ordered. */
export function compareIn(order: TaskOrder): (a: Task, b: Task) => number {
  return COMPARE[order];
}
