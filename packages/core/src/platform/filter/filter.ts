/**
 * Which rows are wanted: conditions joined by and, or, not. The one definition for lists, saved views, programs and the queries in
 * notes; what `Field` names depends on what is filtered.
 */
export type Filter<Field extends string = string> = Condition<Field> | Every<Field> | Some<Field> | Not<Field>;

/** All of them hold. */
export interface Every<Field extends string> {
  readonly and: readonly Filter<Field>[];
}
/** At least one of them holds. */
export interface Some<Field extends string> {
  readonly or: readonly Filter<Field>[];
}
export interface Not<Field extends string> {
  readonly not: Filter<Field>;
}

/** One field compared with values: any of them suffices. */
export interface Condition<Field extends string = string> {
  readonly field: Field;
  readonly op: FilterOp;
  readonly values: readonly string[];
}

/**
 * `has` and `begins` look for a part of a text, `within` for a tag or those nested in it. `empty` and `set`, which is neither empty
 * nor false, have no values.
 */
export const FILTER_OPS = ["is", "<", "<=", ">", ">=", "has", "begins", "within", "empty", "set"] as const;
export type FilterOp = (typeof FILTER_OPS)[number];
export type OrderOp = "<" | "<=" | ">" | ">=";

/** What a field's values are, which decides how they are read and with which operators they are compared. */
export type FilterKind =
  | "status"
  | "priority"
  | "project"
  | "tag"
  | "party"
  | "task"
  | "flag"
  | "date"
  | "text"
  | "search"
  | "number"
  | "folder"
  | "link"
  | "property";

/** What can be filtered, and by which fields. */
export interface FilterFields<Field extends string = string> {
  readonly source: "tasks" | "notes";
  /** The field with such a name, in any case; undefined if there is none. */
  readonly find: (name: string) => Field | undefined;
  readonly kindOf: (field: Field) => FilterKind;
  /** The names of the fields, to tell people. */
  readonly names: readonly string[];
}

/** Of a field that has no value. */
export const NONE = "none";
/** Of a person: the one who asks. */
export const ME = "me";
/** Every status but done. */
export const OPEN = "open";

export const MAX_FILTER_CHARACTERS = 2_000;
export const MAX_FILTER_DEPTH = 20;
export const MAX_CONDITIONS = 50;
export const MAX_VALUES = 50;

/** Says what is wrong with a filter, and where in its text. */
export class FilterError extends Error {
  override readonly name = "FilterError";
  /** Without the place and the hint. */
  readonly reason: string;
  /** What to write instead. */
  readonly hint: string | null;
  readonly at: number | undefined;

  constructor(reason: string, at?: number, hint: string | null = null) {
    super(`${reason}${at === undefined ? "" : ` (at character ${at + 1})`}${hint === null ? "" : `; ${hint}`}`);
    this.reason = reason;
    this.hint = hint;
    this.at = at;
  }
}

export function isCondition<Field extends string>(filter: Filter<Field>): filter is Condition<Field> {
  return "field" in filter;
}

/** The same filter with each condition replaced. */
export function mapConditions<Field extends string>(
  filter: Filter<Field>,
  change: (condition: Condition<Field>) => Filter<Field>,
): Filter<Field> {
  if ("and" in filter) return { and: filter.and.map((part) => mapConditions(part, change)) };
  if ("or" in filter) return { or: filter.or.map((part) => mapConditions(part, change)) };
  if ("not" in filter) return { not: mapConditions(filter.not, change) };
  return change(filter);
}

/** One filter of several, at least one; what is joined in the same way is not nested. */
export function joinFilters<Field extends string>(kind: "and" | "or", parts: readonly Filter<Field>[]): Filter<Field> {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  return kind === "and"
    ? { and: parts.flatMap((part) => ("and" in part ? part.and : [part])) }
    : { or: parts.flatMap((part) => ("or" in part ? part.or : [part])) };
}

/** All conditions, in the order in which they are written. */
export function conditionsOf<Field extends string>(filter: Filter<Field>): Condition<Field>[] {
  if ("and" in filter) return filter.and.flatMap(conditionsOf);
  if ("or" in filter) return filter.or.flatMap(conditionsOf);
  return "not" in filter ? conditionsOf(filter.not) : [filter];
}

/** The parts that all must hold; of null, none. */
export function partsOf<Field extends string>(filter: Filter<Field> | null): readonly Filter<Field>[] {
  if (filter === null) return [];
  return "and" in filter ? filter.and : [filter];
}

/** The opposite of {@link partsOf}. */
export function joinParts<Field extends string>(parts: readonly Filter<Field>[]): Filter<Field> | null {
  return parts.length === 0 ? null : joinFilters("and", parts);
}

/** Throws {@link FilterError} if a filter is too large. */
export function assertBounded<Field extends string>(filter: Filter<Field>): Filter<Field> {
  let conditions = 0;
  const visit = (part: Filter<Field>, depth: number): void => {
    if (depth > MAX_FILTER_DEPTH) throw new FilterError(`nested more than ${MAX_FILTER_DEPTH} deep`);
    if ("and" in part) part.and.forEach((inner) => visit(inner, depth + 1));
    else if ("or" in part) part.or.forEach((inner) => visit(inner, depth + 1));
    else if ("not" in part) visit(part.not, depth + 1);
    else if (++conditions > MAX_CONDITIONS) throw new FilterError(`more than ${MAX_CONDITIONS} conditions`);
  };
  visit(filter, 0);
  return filter;
}
