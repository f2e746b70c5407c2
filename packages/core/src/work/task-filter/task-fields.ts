import { printFilterOf } from "../../platform/filter/print-filter.ts";
import { parseFilterOf, type FilterGrammar } from "../../platform/filter/parse-filter.ts";
import type { Condition, Filter, FilterFields, FilterKind } from "../../platform/filter/filter.ts";
import { conditionOf as conditionOfField } from "../../platform/filter/filter-values.ts";

const KINDS = {
  status: "status",
  priority: "priority",
  project: "project",
  tag: "tag",
  assignee: "party",
  creator: "party",
  holder: "text",
  parent: "task",
  claimed: "flag",
  snoozed: "flag",
  due: "date",
  created: "date",
  changed: "date",
  completed: "date",
  title: "text",
  description: "text",
  text: "search",
} as const satisfies Record<string, FilterKind>;

const ALIASES: Readonly<Record<string, TaskField>> = { tags: "tag", modified: "changed", updated: "changed" };

export type TaskField = keyof typeof KINDS;
export type TaskFilter = Filter<TaskField>;
export type TaskCondition = Condition<TaskField>;

function isTaskField(name: string): name is TaskField {
  return Object.hasOwn(KINDS, name);
}

/** The fields of tasks, by any of their names. */
export const TASK_FIELDS: FilterFields<TaskField> = {
  source: "tasks",
  find: (name) => {
    const lower = name.toLowerCase();
    return isTaskField(lower) ? lower : Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : undefined;
  },
  kindOf: (field) => KINDS[field],
  names: Object.keys(KINDS),
};

const GRAMMAR: FilterGrammar<TaskField> = { fields: TASK_FIELDS, style: "terse", search: "text", tag: "tag" };
/** As in notes. */
export const TASK_PROSE: FilterGrammar<TaskField> = { ...GRAMMAR, style: "prose" };

/** Reads a filter of tasks, as text or in its JSON form. Null if it is empty. Throws FilterError. */
export function parseFilter(text: string): TaskFilter | null {
  return parseFilterOf(GRAMMAR, text);
}

/** A condition with its values in the form in which they are compared. Throws FilterError. */
export function conditionOf(field: TaskField, op: TaskCondition["op"], values: readonly string[]): TaskCondition {
  return conditionOfField(TASK_FIELDS, { field, op, values });
}

/** A filter of tasks as text, which is read as the same filter. */
export function printFilter(filter: TaskFilter | null): string {
  return printFilterOf(TASK_FIELDS, filter);
}
