import type { TaskGroup } from "./task-order.ts";
import type { Task, TaskStatus } from "./task.ts";

/** A line of the list: the head of a group, or a task. */
export type ListItem =
  | { readonly kind: "header"; readonly status: TaskStatus; readonly count: number; readonly isCollapsed: boolean }
  | { readonly kind: "task"; readonly task: Task };

/** The lines of the list. Empty groups have none; of a collapsed one only the head is there. */
export function listItemsOf(groups: readonly TaskGroup[], collapsed: ReadonlySet<TaskStatus>): ListItem[] {
  const items: ListItem[] = [];
  for (const { status, tasks } of groups) {
    if (tasks.length === 0) continue;
    const isCollapsed = collapsed.has(status);
    items.push({ kind: "header", status, count: tasks.length, isCollapsed });
    if (!isCollapsed) for (const task of tasks) items.push({ kind: "task", task });
  }
  return items;
}

/** The tasks among the lines, in their order. */
export function taskIdsOf(items: readonly ListItem[]): string[] {
  const ids: string[] = [];
  for (const item of items) if (item.kind === "task") ids.push(item.task.id);
  return ids;
}
