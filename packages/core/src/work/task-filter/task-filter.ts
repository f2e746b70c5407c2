/**
 * Which tasks are wanted: conditions joined by and, or, not. The one definition for the list, its counts, saved views and
 * programs; the dashboard matches what it has loaded by the same rules.
 */
export type TaskFilter = Condition | Every | Some | Not;

/** All of them hold. */
export interface Every {
  readonly and: readonly TaskFilter[];
}
/** At least one of them holds. */
export interface Some {
  readonly or: readonly TaskFilter[];
}
export interface Not {
  readonly not: TaskFilter;
}

/** One field compared with values: any of them suffices. */
export interface Condition {
  readonly field: FilterField;
  readonly op: FilterOp;
  readonly values: readonly string[];
}

export const FILTER_OPS = ["is", "<", "<=", ">", ">="] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

/** What a field's values are: names from a list, days, or anything. */
export type FilterKind = "status" | "priority" | "project" | "tag" | "party" | "task" | "flag" | "date" | "text";

const FIELDS = {
  status: "status",
  priority: "priority",
  project: "project",
  tag: "tag",
  assignee: "party",
  creator: "party",
  parent: "task",
  claimed: "flag",
  snoozed: "flag",
  due: "date",
  created: "date",
  changed: "date",
  completed: "date",
  text: "text",
} as const satisfies Record<string, FilterKind>;

export type FilterField = keyof typeof FIELDS;
export const FILTER_FIELDS = Object.keys(FIELDS).filter(isFilterField);

export function isFilterField(name: string): name is FilterField {
  return Object.hasOwn(FIELDS, name);
}

export function kindOf(field: FilterField): FilterKind {
  return FIELDS[field];
}

/** Of a field that has no value. */
export const NONE = "none";
/** Of a person: the one who asks. */
export const ME = "me";
/** Every status but done. */
export const OPEN = "open";

export const MAX_FILTER_CHARACTERS = 2_000;
export const MAX_FILTER_DEPTH = 8;
export const MAX_CONDITIONS = 50;
export const MAX_VALUES = 50;
export const MAX_VALUE_CHARACTERS = 200;

/** Says what is wrong with a filter, and where in its text. */
export class FilterError extends Error {
  override readonly name = "FilterError";
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(at === undefined ? message : `${message} (at character ${at + 1})`);
    this.at = at;
  }
}

export function isCondition(filter: TaskFilter): filter is Condition {
  return "field" in filter;
}

/** The same filter with each condition replaced. */
export function mapConditions(filter: TaskFilter, change: (condition: Condition) => TaskFilter): TaskFilter {
  if ("and" in filter) return { and: filter.and.map((part) => mapConditions(part, change)) };
  if ("or" in filter) return { or: filter.or.map((part) => mapConditions(part, change)) };
  if ("not" in filter) return { not: mapConditions(filter.not, change) };
  return change(filter);
}

/** One filter of several, at least one; what is joined in the same way is not nested. */
export function joinFilters(kind: "and" | "or", parts: readonly TaskFilter[]): TaskFilter {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  return kind === "and"
    ? { and: parts.flatMap((part) => ("and" in part ? part.and : [part])) }
    : { or: parts.flatMap((part) => ("or" in part ? part.or : [part])) };
}

/** All conditions, in the order in which they are written. */
export function conditionsOf(filter: TaskFilter): Condition[] {
  if ("and" in filter) return filter.and.flatMap(conditionsOf);
  if ("or" in filter) return filter.or.flatMap(conditionsOf);
  return "not" in filter ? conditionsOf(filter.not) : [filter];
}

/** The parts that all must hold; of null, none. */
export function partsOf(filter: TaskFilter | null): readonly TaskFilter[] {
  if (filter === null) return [];
  return "and" in filter ? filter.and : [filter];
}

/** The opposite of {@link partsOf}. */
export function joinParts(parts: readonly TaskFilter[]): TaskFilter | null {
  return parts.length === 0 ? null : joinFilters("and", parts);
}
