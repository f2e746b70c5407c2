import { isPlainDate } from "../../dates/day.ts";
import { joinChoices, splitChoices } from "../../lists/choices.ts";
import { DUE_FILTERS, isDueFilter, statusesIn, type TaskFilter } from "./task-filter.ts";
import { TASK_ORDERS, type TaskOrder } from "./task-order.ts";
import { isTaskStatus } from "./task.ts";

export const TASK_VIEWS = ["list", "board", "calendar", "upcoming", "ready"] as const;
export type TaskView = (typeof TASK_VIEWS)[number];

export const TASK_GROUPS = ["status", "priority", "project", "due", "tag", "assignee"] as const;
export type TaskGroupBy = (typeof TASK_GROUPS)[number];

/** As a filter expression: all tasks, also in a view that has one. */
export const NO_WHERE = "*";

/** The URL search parameters of a page with tasks: `?q=invoice&status=todo,blocked&view=board`. */
export interface TaskSearch {
  readonly q?: string;
  readonly status?: string;
  readonly project?: string;
  readonly tag?: string;
  readonly due?: string;
  readonly snoozed?: "only";
  readonly view?: TaskView;
  readonly sort?: TaskOrder;
  /** An expression that must hold, too. */
  readonly filter?: string;
  readonly group?: TaskGroupBy;
  /** Of the calendar: a day in what is shown, and whether that is a week. */
  readonly at?: string;
  readonly span?: "week";
}

/** Parses URL search parameters; invalid values are dropped. */
export function parseTaskSearch({
  q,
  status,
  project,
  tag,
  due,
  snoozed,
  view,
  sort,
  filter,
  group,
  at,
  span,
}: Record<string, unknown>): TaskSearch {
  const statuses = choicesIn(status, isTaskStatus);
  const projects = choicesIn(project);
  const tags = choicesIn(tag);
  const dues = choicesIn(due, isDueFilter);
  return {
    ...(typeof q === "string" && q !== "" && { q }),
    ...(statuses !== undefined && { status: statuses }),
    ...(projects !== undefined && { project: projects }),
    ...(tags !== undefined && { tag: tags }),
    ...(dues !== undefined && { due: dues }),
    ...(snoozed === "only" && { snoozed }),
    ...(isOneOf(view, TASK_VIEWS) && { view }),
    ...(isOneOf(sort, TASK_ORDERS) && { sort }),
    ...(typeof filter === "string" && filter !== "" && { filter }),
    ...(isOneOf(group, TASK_GROUPS) && { group }),
    ...(typeof at === "string" && isPlainDate(at) && { at }),
    ...(span === "week" && { span }),
  };
}

export function toFilter(search: TaskSearch): TaskFilter {
  return {
    text: search.q ?? "",
    statuses: statusesIn(splitChoices(search.status)),
    projectIds: splitChoices(search.project),
    tags: splitChoices(search.tag),
    due: DUE_FILTERS.filter((due) => splitChoices(search.due).includes(due)),
    isSnoozed: search.snoozed === "only",
  };
}

/** The URL search parameters for this filter; empty parts are undefined, which removes them. */
export function fromFilter(
  filter: TaskFilter,
): Record<"q" | "status" | "project" | "tag" | "due" | "snoozed", string | undefined> {
  return {
    q: filter.text === "" ? undefined : filter.text,
    status: joinChoices(filter.statuses),
    project: joinChoices(filter.projectIds),
    tag: joinChoices(filter.tags),
    due: joinChoices(filter.due),
    snoozed: filter.isSnoozed ? "only" : undefined,
  };
}

function choicesIn(value: unknown, isAllowed: (choice: string) => boolean = () => true): string | undefined {
  return typeof value === "string" ? joinChoices(splitChoices(value).filter(isAllowed)) : undefined;
}

function isOneOf<Value extends string>(value: unknown, allowed: readonly Value[]): value is Value {
  return allowed.some((other) => other === value);
}
