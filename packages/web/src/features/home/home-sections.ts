import type { Outputs } from "../../api/api.ts";
import { toUtcDate, type Day } from "../../dates/day.ts";
import { dueFilterOf } from "../tasks/task-filter.ts";
import { isSnoozed } from "../tasks/snooze.ts";
import { byCompletion, byDueDate } from "../tasks/task-order.ts";
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
  const overdue = new Firsts(byDueDate);
  const dueToday = new Firsts(byDueDate);
  const inProgress = new Firsts(byDueDate);
  const soon = new Firsts(byDueDate);
  const done = new Firsts(byCompletion);
  const recentFrom = startOf(today - RECENT_DAYS + 1);
  for (const task of tasks) {
    if (task.deletedAt === null && task.completedAt !== null && task.completedAt >= recentFrom) done.add(task);
    if (!isOpen(task) || isSnoozed(task, now)) continue;
    const due = dueFilterOf(task, today);
    if (due === "overdue") overdue.add(task);
    else if (due === "today") dueToday.add(task);
    else if (task.status === "in_progress") inProgress.add(task);
    else if (due === "week") soon.add(task);
  }
  return [
    section("overdue", "Overdue", overdue, { due: "overdue" }),
    section("today", "Today", dueToday, { due: "today" }),
    section("in_progress", "In progress", inProgress, { status: "in_progress" }),
    section("week", "Next 7 days", soon, { due: "week" }),
    section("done", "Done in the last 7 days", done, { status: "done" }),
  ].filter(({ total }) => total > 0);
}

/** The first tasks of a section in its order, found without sorting all of them. */
class Firsts {
  readonly tasks: Task[] = [];
  total = 0;
  readonly #compare: (a: Task, b: Task) => number;

  constructor(compare: (a: Task, b: Task) => number) {
    this.#compare = compare;
  }

  add(task: Task): void {
    this.total += 1;
    const { tasks } = this;
    const last = tasks.at(-1);
    const isFull = tasks.length === SECTION_LIMIT;
    if (isFull && last !== undefined && this.#compare(task, last) >= 0) return;
    if (isFull) tasks.pop();
    const later = tasks.findIndex((other) => this.#compare(task, other) < 0);
    tasks.splice(later === -1 ? tasks.length : later, 0, task);
  }
}

function section(
  name: AgendaSectionName,
  title: string,
  { tasks, total }: Firsts,
  search: HomeSection["search"],
): HomeSection {
  return { name, title, tasks, total, search };
}

/** When a day begins here, as the server writes times, which are in order as texts: reading each of them would take far longer. */
function startOf(day: Day): string {
  const date = toUtcDate(day);
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()).toISOString();
}
