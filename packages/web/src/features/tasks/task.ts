import type { Inputs, Outputs } from "../../api/api.ts";

export type Task = Outputs["tasks"]["get"]["data"];
export type TaskStatus = Task["status"];
export type NewTask = Omit<Inputs["tasks"]["create"], "title" | "text" | "language" | "timezone"> & { title: string };
/** The fields that an update can change. */
export type TaskPatch = Omit<Inputs["tasks"]["update"], "id">;
export type Priority = 1 | 2 | 3;

/** In the order of work: the groups of the list and the columns of the board. */
export const STATUSES: readonly TaskStatus[] = ["in_progress", "todo", "blocked", "done"];
export const OPEN_STATUSES: readonly TaskStatus[] = ["todo", "in_progress", "blocked"];
/** The columns of the board, from left to right. */
export const BOARD_STATUSES: readonly TaskStatus[] = ["todo", "in_progress", "blocked", "done"];

export const STATUS_LABELS: Readonly<Record<TaskStatus, string>> = {
  todo: "To do",
  in_progress: "In progress",
  blocked: "Blocked",
  done: "Done",
};

export const PRIORITIES: readonly Priority[] = [3, 2, 1];

export const PRIORITY_LABELS: Readonly<Record<Priority, string>> = { 1: "Low", 2: "Medium", 3: "High" };

export const DEFAULT_PRIORITY: Priority = 2;

export function isTaskStatus(value: unknown): value is TaskStatus {
  return STATUSES.some((status) => status === value);
}

/** A task's priority as one of the three known values; any other value that the server may send counts as medium. */
export function priorityOf(task: Pick<Task, "priority">): Priority {
  return task.priority === 1 || task.priority === 3 ? task.priority : DEFAULT_PRIORITY;
}

export function isOpen(task: Task): boolean {
  return task.status !== "done" && task.deletedAt === null;
}

/** "1 task", "3 tasks" */
export function countTasks(count: number): string {
  return count === 1 ? "1 task" : `${count.toLocaleString("en")} tasks`;
}
