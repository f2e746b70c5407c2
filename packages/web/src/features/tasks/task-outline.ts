import { compareManually, type TaskGroup } from "./task-order.ts";
import type { Task } from "./task.ts";

/** A task where it is shown in the outline. */
export interface OutlinedTask {
  readonly task: Task;
  /** How many tasks it is shown below. */
  readonly depth: number;
  /** Whether its subtasks that match are hidden; undefined if it has none. */
  readonly isFolded: boolean | undefined;
}

export interface OutlinedGroup extends Omit<TaskGroup, "tasks"> {
  readonly tasks: readonly OutlinedTask[];
}

/**
 * The groups with subtasks below their parents, whatever their own status is, in the manual order. Where the parent is not shown, and
 * where it is done and the subtask is not, the subtask stays in the group of its status.
 */
export function outlineOf(groups: readonly TaskGroup[], folded: ReadonlySet<string>): OutlinedGroup[] {
  const shown = new Map<string, Task>();
  for (const { tasks } of groups) for (const task of tasks) if (task.parentId !== null) shown.set(task.id, task);
  if (shown.size === 0)
    return groups.map((group) => ({
      ...group,
      tasks: group.tasks.map((task) => ({ task, depth: 0, isFolded: undefined })),
    }));
  for (const { tasks } of groups) for (const task of tasks) shown.set(task.id, task);
  const below = subtasksByParent(shown);
  return groups.map((group) => {
    const tasks: OutlinedTask[] = [];
    const add = (task: Task, depth: number) => {
      const subtasks = below.get(task.id);
      const isFolded = subtasks === undefined ? undefined : folded.has(task.id);
      tasks.push({ task, depth, isFolded });
      if (isFolded === false) subtasks?.forEach((subtask) => add(subtask, depth + 1));
    };
    for (const task of group.tasks) if (!isNested(task, shown)) add(task, 0);
    return { ...group, tasks };
  });
}

function isNested(task: Task, shown: ReadonlyMap<string, Task>): boolean {
  const parent = task.parentId === null ? undefined : shown.get(task.parentId);
  return parent !== undefined && (parent.status !== "done" || task.status === "done");
}

function subtasksByParent(shown: ReadonlyMap<string, Task>): ReadonlyMap<string, Task[]> {
  const below = new Map<string, Task[]>();
  for (const task of shown.values()) {
    if (task.parentId === null || !isNested(task, shown)) continue;
    const siblings = below.get(task.parentId);
    if (siblings === undefined) below.set(task.parentId, [task]);
    else siblings.push(task);
  }
  for (const siblings of below.values()) siblings.sort(compareManually);
  return below;
}
