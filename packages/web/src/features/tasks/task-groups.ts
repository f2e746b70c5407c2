import {
  addDays,
  DUE_GROUPS,
  groupKeyOf,
  NONE,
  type FilterContext,
  type TaskGrouping,
} from "@workspace/core/task-filter";
import { formatDay, formatFullDay } from "../../dates/date-format.ts";
import { dayOf, toPlainDate, type Day } from "../../dates/day.ts";
import { compareNames } from "../../lib/compare-names.ts";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import { byDueDate } from "./task-order.ts";
import {
  isOpen,
  isTaskStatus,
  PRIORITY_LABELS,
  priorityOf,
  STATUS_LABELS,
  STATUSES,
  type Task,
  type TaskPatch,
} from "./task.ts";

/** Tasks that have something in common. */
export interface NamedGroup {
  readonly key: string;
  readonly label: string;
  readonly tasks: readonly Task[];
  /** What gives a task the group's value; null if that is not one value. */
  readonly patchOf: ((task: Task) => TaskPatch) | null;
  /** The fields of a task that is added to the group; null if it cannot be. */
  readonly defaults: NewTaskDefaults | null;
}

const DUE_LABELS: Readonly<Record<(typeof DUE_GROUPS)[number], string>> = {
  overdue: "Overdue",
  today: "Today",
  tomorrow: "Tomorrow",
  week: "Next 7 days",
  later: "Later",
  earlier: "Done before today",
  none: "No due date",
};

/** The groups that are not empty, in order; within each, tasks in the given order. */
export function groupTasks(
  tasks: readonly Task[],
  grouping: TaskGrouping,
  context: FilterContext,
  compare: (a: Task, b: Task) => number,
): NamedGroup[] {
  const keyOf = groupKeyOf(grouping, context);
  const groups = new Map<string, Task[]>();
  for (const task of tasks) {
    const key = keyOf(task);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [task]);
    else group.push(task);
  }
  return [...groups]
    .map(([key, members]) => ({
      key,
      label: labelOf(grouping, key, members),
      tasks: members.toSorted(compare),
      ...effectsOf(grouping, key, members, context.today),
    }))
    .toSorted(ORDER[grouping]);
}

function labelOf(grouping: TaskGrouping, key: string, [first]: readonly Task[]): string {
  switch (grouping) {
    case "status":
      return isTaskStatus(key) ? STATUS_LABELS[key] : key;
    case "priority":
      return PRIORITY_LABELS[priorityOf({ priority: Number(key) })];
    case "project":
      return first?.project?.name ?? "No project";
    case "due":
      return DUE_LABELS[DUE_GROUPS.find((group) => group === key) ?? NONE];
    case "tag":
      return first?.tags[0] === undefined ? "No tag" : `#${key}`;
    case "assignee":
      return first?.assignee?.name ?? "For everybody";
  }
}

type Effects = Pick<NamedGroup, "patchOf" | "defaults">;

const NO_EFFECTS: Effects = { patchOf: null, defaults: null };

function effectsOf(grouping: TaskGrouping, key: string, [first]: readonly Task[], today: string): Effects {
  switch (grouping) {
    case "status":
      return isTaskStatus(key) ? { patchOf: () => ({ status: key }), defaults: { status: key } } : NO_EFFECTS;
    case "priority": {
      const priority = priorityOf({ priority: Number(key) });
      return { patchOf: () => ({ priority }), defaults: { priority } };
    }
    case "project": {
      const projectId = key === NONE ? null : key;
      return { patchOf: () => ({ projectId }), defaults: { projectId } };
    }
    case "due":
      return dueEffects(key, today);
    case "tag":
      if (first?.tags[0] === undefined) return { patchOf: null, defaults: { tags: [] } };
      return {
        patchOf: ({ tags }) => ({ tags: [key, ...tags.slice(1).filter((tag) => tag !== key)] }),
        defaults: { tags: [key] },
      };
    case "assignee": {
      const party = first?.assignee ?? null;
      const assignee = party && { kind: party.kind, id: party.id };
      return { patchOf: () => ({ assignee }), defaults: null };
    }
  }
}

function dueEffects(key: string, today: string): Effects {
  if (key === NONE) return { patchOf: () => ({ dueDate: null }), defaults: { dueDate: null } };
  if (key !== "today" && key !== "tomorrow") return NO_EFFECTS;
  const dueDate = key === "today" ? today : addDays(today, 1);
  return { patchOf: () => ({ dueDate }), defaults: { dueDate } };
}

type Compare = (a: NamedGroup, b: NamedGroup) => number;

function byPlace(keys: readonly string[]): Compare {
  const placeOf = ({ key }: NamedGroup) => (keys.includes(key) ? keys.indexOf(key) : keys.length);
  return (a, b) => placeOf(a) - placeOf(b);
}

/** By name; those without a value last. */
const byLabel: Compare = (a, b) => Number(a.key === NONE) - Number(b.key === NONE) || compareNames(a.label, b.label);

const ORDER: Readonly<Record<TaskGrouping, Compare>> = {
  status: byPlace(STATUSES),
  priority: byPlace(["3", "2", "1"]),
  due: byPlace(DUE_GROUPS),
  project: byLabel,
  tag: byLabel,
  assignee: byLabel,
};

/** What is due on a day, as a group. */
export function dayGroup(day: Day, label: string, tasks: readonly Task[]): NamedGroup {
  const dueDate = toPlainDate(day);
  return { key: dueDate, label, tasks, patchOf: () => ({ dueDate }), defaults: { dueDate } };
}

const UPCOMING_DAYS = 14;

/** What is open and due: overdue first, then each of the next days, also those without a task, then what is later. */
export function upcomingGroups(tasks: readonly Task[], today: Day): NamedGroup[] {
  const open = tasks.filter((task) => isOpen(task) && task.dueDate !== null).toSorted(byDueDate);
  const dueBetween = (from: Day, before: Day) =>
    open.filter(({ dueDate }) => dueDate !== null && dayOf(dueDate) >= from && dayOf(dueDate) < before);
  const overdue = dueBetween(-Infinity, today);
  const later = dueBetween(today + UPCOMING_DAYS, Infinity);
  const days = Array.from({ length: UPCOMING_DAYS }, (_, index): NamedGroup => {
    const day = today + index;
    const label = index < 2 ? `${formatDay(day, today)} · ${formatFullDay(day)}` : formatFullDay(day);
    return dayGroup(day, label, dueBetween(day, day + 1));
  });
  return [
    ...(overdue.length > 0 ? [{ key: "overdue", label: "Overdue", tasks: overdue, ...NO_EFFECTS }] : []),
    ...days,
    ...(later.length > 0 ? [{ key: "later", label: "Later", tasks: later, ...NO_EFFECTS }] : []),
  ];
}
