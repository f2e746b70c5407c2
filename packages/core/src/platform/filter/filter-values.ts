import { isPeriodName, isSpanName } from "./filter-days.ts";
import {
  assertBounded,
  FILTER_OPS,
  FilterError,
  joinFilters,
  MAX_CONDITIONS,
  MAX_FILTER_DEPTH,
  MAX_VALUES,
  NONE,
  OPEN,
  type Condition,
  type Filter,
  type FilterFields,
  type FilterKind,
  type FilterOp,
} from "./filter.ts";

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/;
const STATUSES = ["todo", "in_progress", "done", "blocked", OPEN];
const PRIORITIES: Readonly<Record<string, string>> = { low: "1", medium: "2", high: "3" };
const FLAGS: Readonly<Record<string, string>> = { true: "yes", false: "no" };
const DAY_EXAMPLES = "a day such as 2026-12-24, today or +3d";
const PERIOD_EXAMPLES = "2026-12, this-week, next-7-days, later, none, any";

const ORDERED: ReadonlySet<FilterKind> = new Set(["date", "priority", "number", "property"]);
/** Which are texts, so that parts of them can be looked for. */
const TEXTS: ReadonlySet<FilterKind> = new Set(["text", "folder", "link", "tag", "project", "party", "property"]);
/** Those without a name for what has no value. */
const EMPTIED: ReadonlySet<FilterKind> = new Set(["text", "search", "folder", "link", "property"]);

/** A condition with its values in the form in which they are compared. Throws {@link FilterError}. */
export function conditionOf<Field extends string>(
  fields: FilterFields<Field>,
  { field, op, values: given }: Condition<Field>,
  at?: number,
): Condition<Field> {
  assertSuits(fields, { field, op }, at);
  if (op === "empty" || op === "set") {
    if (given.length > 0) throw new FilterError(`${field} is ${op} takes no value`, at);
    return { field, op, values: [] };
  }
  if (given.length === 0) throw new FilterError(`${field} needs a value`, at);
  if (given.length > MAX_VALUES) throw new FilterError(`${field} has more than ${MAX_VALUES} values`, at);
  if (isOrder(op) && given.length > 1) throw new FilterError(`${field} ${op} takes one value`, at);
  const values = given.map((value) => valueOf(fields, { field, op }, value, at));
  return { field, op, values: [...new Set(values)] };
}

/** Throws {@link FilterError} if the operator does not suit the field. */
export function assertSuits<Field extends string>(
  fields: FilterFields<Field>,
  { field, op }: Pick<Condition<Field>, "field" | "op">,
  at: number | undefined,
): void {
  const kind = fields.kindOf(field);
  const suits =
    op === "is" ||
    (op === "within" && kind === "tag") ||
    (isOrder(op) && ORDERED.has(kind)) ||
    ((op === "has" || op === "begins") && TEXTS.has(kind)) ||
    (op === "empty" && EMPTIED.has(kind)) ||
    (op === "set" && kind === "property");
  if (suits) return;
  const hint = TEXTS.has(kind) ? "use = or contains" : ORDERED.has(kind) ? "use =, <, <=, > or >=" : "use =";
  throw new FilterError(`${field} cannot be compared with ${op}`, at, hint);
}

function isOrder(op: FilterOp): boolean {
  return op === "<" || op === "<=" || op === ">" || op === ">=";
}

function valueOf<Field extends string>(
  fields: FilterFields<Field>,
  { field, op }: Pick<Condition<Field>, "field" | "op">,
  given: string,
  at: number | undefined,
): string {
  const value = given.trim();
  if (value === "") throw new FilterError(`${field} needs a value`, at);
  if (value.includes("\0") || !value.isWellFormed()) throw new FilterError("a value is not plain text", at);
  const kind = fields.kindOf(field);
  if (op === "has" || op === "begins") return value;
  const name = value.toLowerCase();
  switch (kind) {
    case "status":
      return oneOf(field, name.replaceAll(/[ -]/g, "_"), STATUSES, at);
    case "priority":
      return oneOf(field, PRIORITIES[name] ?? name, ["1", "2", "3"], at, "low, medium or high");
    case "flag":
      return oneOf(field, FLAGS[name] ?? name, ["yes", "no"], at);
    case "date": {
      const words = name.replaceAll(" ", "-");
      const isDue = field === "due";
      if (op === "is" ? isPeriodName(words, isDue) : isSpanName(words)) return words;
      const more = op === "is" ? `, ${PERIOD_EXAMPLES}${isDue ? ", overdue" : ""}` : "";
      throw new FilterError(`${field}: expected ${DAY_EXAMPLES}${more}`, at);
    }
    case "number":
      if (!NUMBER.test(name)) throw new FilterError(`${field}: expected a number`, at);
      return name;
    case "task":
      if (name !== NONE && !isId(value)) throw new FilterError(`${field}: expected the id of a task, or none`, at);
      return name;
    case "project":
    case "party":
      return isId(value) ? name : value;
    case "tag":
      return op === "within" ? value.replace(/^#/, "") || value : value;
    case "text":
    case "search":
    case "folder":
    case "link":
    case "property":
      return value;
  }
}

/** Whether a value is an id, and not a name. */
export function isId(value: string): boolean {
  return UUID.test(value);
}

/** A value of a property, which keeps its kind: a text is in quotation marks, a number, `true`, `false` or a day is not. */
export function propertyValue(text: string): string {
  const name = text.toLowerCase();
  if (NUMBER.test(text)) return String(Number(text));
  if (name === "true" || name === "yes") return "true";
  if (name === "false" || name === "no") return "false";
  return /^\d{4}-\d{2}/.test(text) && isSpanName(text) ? text : JSON.stringify(text);
}

/** The condition that a field has no value, or a `false` one. */
export function emptyCondition<Field extends string>(fields: FilterFields<Field>, field: Field): Condition<Field> {
  const kind = fields.kindOf(field);
  if (EMPTIED.has(kind)) return { field, op: "empty", values: [] };
  if (kind === "status" || kind === "priority") return { field, op: "is", values: [] };
  return { field, op: "is", values: [kind === "flag" ? "no" : kind === "number" ? "0" : NONE] };
}

function oneOf(
  field: string,
  value: string,
  allowed: readonly string[],
  at: number | undefined,
  names = allowed.join(", "),
): string {
  if (!allowed.includes(value)) throw new FilterError(`${field}: expected ${names}`, at);
  return value;
}

/** A filter from its JSON form. Throws {@link FilterError}. */
export function filterFromJson<Field extends string>(fields: FilterFields<Field>, value: unknown): Filter<Field> {
  return assertBounded(fromJson(fields, value, 0));
}

function fromJson<Field extends string>(fields: FilterFields<Field>, value: unknown, depth: number): Filter<Field> {
  if (depth > MAX_FILTER_DEPTH) throw new FilterError(`nested more than ${MAX_FILTER_DEPTH} deep`);
  if (typeof value !== "object" || value === null) throw new FilterError("expected an object");
  if ("and" in value) return joinFilters("and", partsFrom(fields, value.and, depth));
  if ("or" in value) return joinFilters("or", partsFrom(fields, value.or, depth));
  if ("not" in value) return { not: fromJson(fields, value.not, depth + 1) };
  const { field: name, op = "is", values: given }: { field?: unknown; op?: unknown; values?: unknown } = value;
  const values = given ?? (op === "empty" ? [] : null);
  const field = typeof name === "string" ? fields.find(name) : undefined;
  if (field === undefined) throw new FilterError(`field: expected ${fields.names.join(", ")}`);
  const known = FILTER_OPS.find((other) => other === op);
  if (known === undefined) throw new FilterError(`op: expected ${FILTER_OPS.join(", ")}`);
  if (!Array.isArray(values) || values.length > MAX_VALUES)
    throw new FilterError(`values: expected a list of at most ${MAX_VALUES}`);
  const texts = values.map((one: unknown) => {
    if (typeof one !== "string") throw new FilterError("values: expected texts");
    return one;
  });
  return conditionOf(fields, { field, op: known, values: texts });
}

function partsFrom<Field extends string>(fields: FilterFields<Field>, value: unknown, depth: number): Filter<Field>[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CONDITIONS)
    throw new FilterError(`expected a list of 1 to ${MAX_CONDITIONS} filters`);
  return value.map((part: unknown) => fromJson(fields, part, depth + 1));
}
