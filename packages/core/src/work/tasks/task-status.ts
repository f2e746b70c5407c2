import type { TaskStatus } from "../task-filter/filtered-task.ts";

export { TASK_STATUSES, type TaskStatus } from "../task-filter/filtered-task.ts";

/**
 * The completion time of a task with this status: set on entering `done`, kept while it stays there, cleared on leaving.
 * `completedAt` is the previous value.
 */
export function completedAtFor(status: TaskStatus, completedAt: Date | null, now: Date): Date | null {
  return status === "done" ? (completedAt ?? now) : null;
}
