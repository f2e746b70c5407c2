import type { OutlinedGroup, OutlinedTask } from "./task-outline.ts";
import type { TaskStatus } from "./task.ts";

/** A row of the list: a group header or a task. */
export type ListItem =
  | {
      readonly kind: "header";
      readonly status: TaskStatus;
      readonly count: number | undefined;
      readonly isCollapsed: boolean;
    }
  | ({ readonly kind: "task"; readonly status: TaskStatus } & OutlinedTask);

/** The rows of the list. Empty groups have none; a collapsed one has only its header. */
export function listItemsOf(groups: readonly OutlinedGroup[], collapsed: ReadonlySet<TaskStatus>): ListItem[] {
  const items: ListItem[] = [];
  for (const { status, tasks, count } of groups) {
    if (tasks.length === 0) continue;
    const isCollapsed = collapsed.has(status);
    items.push({ kind: "header", status, count, isCollapsed });
    if (!isCollapsed) for (const outlined of tasks) items.push({ kind: "task", status, ...outlined });
  }
  return items;
}

/** The ids of the tasks among the rows, in order. */
export function taskIdsOf(items: readonly ListItem[]): string[] {
  const ids: string[] = [];
  for (const item of items) if (item.kind === "task") ids.push(item.task.id);
  return ids;
}
