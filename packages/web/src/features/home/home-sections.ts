import type { Outputs } from "../../api/api.ts";
import { toUtcDate, type Day } from "../../dates/day.ts";
import { dueFilterOf } from "../tasks/task-filter.ts";
import { isSnoozed } from "../tasks/snooze.ts";
import { byDueDate } from "../tasks/task-order.ts";
import { isOpen, type Task } from "../tasks/task.ts";

/** How many tasks of a section are shown; the others are one click away. */
export const SECTION_LIMIT = 8;
const RECENT_DAYS = 7;

/** As the server names it. */
export type AgendaSectionName = Outputs["tasks"]["agenda"]["data"][number]["section"];

export interface HomeSection {
  readonly name: AgendaSectionName;
  readonly title: string;
  readonly tasks: readonly Task[];
  /** The number of tasks, whether shown or not. */
  readonly total: number;
  /** The search parameters of the tasks page that show all of them. */
  readonly search: Readonly<Record<string, string>>;
}

/** Sorts all tasks into the sections of the home page. No task is in two sections; empty sections are omitted. */
export function homeSections(tasks: Iterable<Task>, today: Day, now: number): HomeSection[] {
  const overdue: Task[] = [];
  const dueToday: Task[] = [];
  const inProgress: Task[] = [];
  const soon: Task[] = [];
  const done: Task[] = [];
  const recentFrom = startOf(today - RECENT_DAYS + 1);
  for (const task of tasks) {
    if (task.deletedAt === null && task.completedAt !== null && task.completedAt >= recentFrom) done.push(task);
    if (!isOpen(task) || isSnoozed(task, now)) continue;
    const due = dueFilterOf(task, today);
    if (due === "overdue") overdue.push(task);
    else if (due === "today") dueToday.push(task);
    else if (task.status === "in_progress") inProgress.push(task);
    else if (due === "week") soon.push(task);
  }
  return [
    section("overdue", "Overdue", overdue.toSorted(byDueDate), { due: "overdue" }),
    section("today", "Today", dueToday.toSorted(byDueDate), { due: "today" }),
    section("in_progress", "In progress", inProgress.toSorted(byDueDate), { status: "in_progress" }),
    section("week", "Next 7 days", soon.toSorted(byDueDate), { due: "week" }),
    section("done", "Done in the last 7 days", done.toSorted(byCompletion), { status: "done" }),
  ].filter(({ total }) => total > 0);
}

function section(
  name: AgendaSectionName,
  title: string,
  tasks: readonly Task[],
  search: HomeSection["search"],
): HomeSection {
  return { name, title, tasks: tasks.slice(0, SECTION_LIMIT), total: tasks.length, search };
}

/** When a day begins here, as the server writes times, which are in order as texts: reading each of them would take far longer. */
function startOf(day: Day): string {
  const date = toUtcDate(day);
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()).toISOString();
}

function byCompletion(a: Task, b: Task): number {
  return (a.completedAt ?? "") < (b.completedAt ?? "") ? 1 : -1;
}
