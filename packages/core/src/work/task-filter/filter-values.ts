import { TASK_STATUSES } from "./filtered-task.ts";
import { isDayName, isPeriodName } from "./filter-days.ts";
import {
  FILTER_FIELDS,
  FILTER_OPS,
  FilterError,
  isFilterField,
  joinFilters,
  kindOf,
  MAX_CONDITIONS,
  MAX_FILTER_DEPTH,
  MAX_VALUE_CHARACTERS,
  MAX_VALUES,
  NONE,
  OPEN,
  type Condition,
  type FilterField,
  type FilterOp,
  type TaskFilter,
} from "./task-filter.ts";

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const PRIORITIES: Readonly<Record<string, string>> = { low: "1", medium: "2", high: "3" };
const PERIOD_EXAMPLES = "a day such as 2026-12-24, today or +3d, or this-week, next-7-days, later, none, any";

/** A condition with its values in the form in which they are compared. Throws {@link FilterError}. */
export function conditionOf(field: FilterField, op: FilterOp, given: readonly string[], at?: number): Condition {
  if (given.length === 0) throw new FilterError(`${field} needs a value`, at);
  if (given.length > MAX_VALUES) throw new FilterError(`${field} has more than ${MAX_VALUES} values`, at);
  if (op !== "is" && given.length > 1) throw new FilterError(`${field} ${op} takes one value`, at);
  const values = given.map((value) => valueOf(field, op, value, at));
  return { field, op, values: [...new Set(values)] };
}

function valueOf(field: FilterField, op: FilterOp, given: string, at: number | undefined): string {
  const value = given.trim();
  if (value === "") throw new FilterError(`${field} needs a value`, at);
  if (value.length > MAX_VALUE_CHARACTERS)
    throw new FilterError(`a value has more than ${MAX_VALUE_CHARACTERS} characters`, at);
  if (value.includes("\0") || !value.isWellFormed()) throw new FilterError("a value is not plain text", at);
  const kind = kindOf(field);
  if (op !== "is" && kind !== "date" && kind !== "priority")
    throw new FilterError(`${field} cannot be compared with ${op}`, at);
  const name = value.toLowerCase();
  switch (kind) {
    case "status":
      return oneOf(field, name.replaceAll("-", "_"), [...TASK_STATUSES, OPEN], at);
    case "priority":
      return oneOf(field, PRIORITIES[name] ?? name, ["1", "2", "3"], at, "low, medium or high");
    case "flag":
      return oneOf(field, name, ["yes", "no"], at);
    case "date": {
      const words = name.replaceAll(" ", "-");
      const isDue = field === "due";
      if (op === "is" ? isPeriodName(words, isDue) : isDayName(words)) return words;
      const expected = op === "is" ? PERIOD_EXAMPLES : "a day such as 2026-12-24, today or +3d";
      throw new FilterError(`${field}: expected ${expected}${isDue && op === "is" ? ", overdue" : ""}`, at);
    }
    case "task":
      if (name !== NONE && !isId(value)) throw new FilterError(`${field}: expected the id of a task, or none`, at);
      return name;
    case "project":
    case "party":
      return isId(value) ? name : value;
    case "tag":
    case "text":
      return value;
  }
}

/** Whether a value is an id, and not a name. */
export function isId(value: string): boolean {
  return UUID.test(value);
}

function oneOf(
  field: FilterField,
  value: string,
  allowed: readonly string[],
  at: number | undefined,
  names = allowed.join(", "),
): string {
  if (!allowed.includes(value)) throw new FilterError(`${field}: expected ${names}`, at);
  return value;
}

/** Throws {@link FilterError} if a filter is too large. */
export function assertBounded(filter: TaskFilter): TaskFilter {
  let conditions = 0;
  const visit = (part: TaskFilter, depth: number): void => {
    if (depth > MAX_FILTER_DEPTH) throw new FilterError(`nested more than ${MAX_FILTER_DEPTH} deep`);
    if ("and" in part) part.and.forEach((inner) => visit(inner, depth + 1));
    else if ("or" in part) part.or.forEach((inner) => visit(inner, depth + 1));
    else if ("not" in part) visit(part.not, depth + 1);
    else if (++conditions > MAX_CONDITIONS) throw new FilterError(`more than ${MAX_CONDITIONS} conditions`);
  };
  visit(filter, 0);
  return filter;
}

/** A filter from its JSON form. Throws {@link FilterError}. */
export function filterFromJson(value: unknown): TaskFilter {
  return assertBounded(fromJson(value, 0));
}

function fromJson(value: unknown, depth: number): TaskFilter {
  if (depth > MAX_FILTER_DEPTH) throw new FilterError(`nested more than ${MAX_FILTER_DEPTH} deep`);
  if (typeof value !== "object" || value === null) throw new FilterError("expected an object");
  if ("and" in value) return joinFilters("and", partsFrom(value.and, depth));
  if ("or" in value) return joinFilters("or", partsFrom(value.or, depth));
  if ("not" in value) return { not: fromJson(value.not, depth + 1) };
  const { field, op = "is", values }: { field?: unknown; op?: unknown; values?: unknown } = value;
  if (typeof field !== "string" || !isFilterField(field))
    throw new FilterError(`field: expected ${FILTER_FIELDS.join(", ")}`);
  const known = FILTER_OPS.find((other) => other === op);
  if (known === undefined) throw new FilterError(`op: expected ${FILTER_OPS.join(", ")}`);
  if (!Array.isArray(values) || values.length > MAX_VALUES)
    throw new FilterError(`values: expected a list of at most ${MAX_VALUES}`);
  return conditionOf(
    field,
    known,
    values.map((one: unknown) => {
      if (typeof one !== "string") throw new FilterError("values: expected texts");
      return one;
    }),
  );
}

function partsFrom(value: unknown, depth: number): TaskFilter[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CONDITIONS)
    throw new FilterError(`expected a list of 1 to ${MAX_CONDITIONS} filters`);
  return value.map((part: unknown) => fromJson(part, depth + 1));
}
