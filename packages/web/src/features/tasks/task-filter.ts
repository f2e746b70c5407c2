import { wordsOf } from "../../lists/text-match.ts";
import { dayOf, type Day } from "../../dates/day.ts";
import { isSnoozed } from "./snooze.ts";
import { isTaskStatus, type Task, type TaskStatus } from "./task.ts";

export const DUE_FILTERS = ["overdue", "today", "week", "later", "none"] as const;
export type DueFilter = (typeof DUE_FILTERS)[number];

export const DUE_FILTER_LABELS: Readonly<Record<DueFilter, string>> = {
  overdue: "Overdue",
  today: "Today",
  week: "Next 7 days",
  later: "Later",
  none: "No due date",
};

/** As a project filter: tasks without a project. */
export const NO_PROJECT = "none";

/** Which tasks are shown. Within one list any match is enough; all lists must match. */
export interface TaskFilter {
  readonly text: string;
  readonly statuses: readonly TaskStatus[];
  readonly projectIds: readonly string[];
  readonly tags: readonly string[];
  readonly due: readonly DueFilter[];
  /** Only what is snoozed; otherwise none of it. */
  readonly isSnoozed: boolean;
}

export const NO_FILTER: TaskFilter = { text: "", statuses: [], projectIds: [], tags: [], due: [], isSnoozed: false };

export function isFiltering(filter: TaskFilter): boolean {
  return (
    filter.isSnoozed ||
    filter.text.trim() !== "" ||
    [filter.statuses, filter.projectIds, filter.tags, filter.due].some((choices) => choices.length > 0)
  );
}

/** The matching tasks that are not deleted, in the given order. */
export function filterTasks(tasks: Iterable<Task>, filter: TaskFilter, today: Day, now: number): Task[] {
  const words = wordsOf(filter.text);
  const statuses = new Set<string>(filter.statuses);
  const projectIds = new Set(filter.projectIds);
  const matching: Task[] = [];
  for (const task of tasks) {
    if (task.deletedAt !== null || isSnoozed(task, now) !== filter.isSnoozed) continue;
    if (statuses.size > 0 && !statuses.has(task.status)) continue;
    if (projectIds.size > 0 && !projectIds.has(task.projectId ?? NO_PROJECT)) continue;
    if (filter.tags.length > 0 && !filter.tags.some((tag) => task.tags.includes(tag))) continue;
    if (filter.due.length > 0 && !filter.due.includes(dueFilterOf(task, today))) continue;
    if (words.length > 0 && !matchesWords(task, words)) continue;
    matching.push(task);
  }
  return matching;
}

/** The due filter that a task falls under. A done task is never overdue. */
export function dueFilterOf(task: Pick<Task, "dueDate" | "status">, today: Day): DueFilter {
  if (task.dueDate === null) return "none";
  const distance = dayOf(task.dueDate) - today;
  if (distance < 0) return task.status === "done" ? "later" : "overdue";
  if (distance === 0) return "today";
  return distance <= 7 ? "week" : "later";
}

export function isDueFilter(value: unknown): value is DueFilter {
  return DUE_FILTERS.some((due) => due === value);
}

export function matchesWords(task: Task, words: readonly string[]): boolean {
  const text = searchTextOf(task);
  return words.every((word) => text.includes(word));
}

const searchTexts = new WeakMap<Task, string>();

/** Tasks are immutable, so their text is lower-cased once. */
function searchTextOf(task: Task): string {
  const known = searchTexts.get(task);
  if (known !== undefined) return known;
  const parts = [task.title, task.description ?? "", task.project?.name ?? "", ...task.tags];
  const text = parts.join("\n").toLowerCase();
  searchTexts.set(task, text);
  return text;
}

export function statusesIn(values: readonly string[]): TaskStatus[] {
  return values.filter(isTaskStatus);
}
