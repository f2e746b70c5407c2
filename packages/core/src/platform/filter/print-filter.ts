import {
  isCondition,
  type Condition,
  type Filter,
  type FilterFields,
  type FilterKind,
  type FilterOp,
} from "./filter.ts";

const PLAIN_VALUE = /^[^\s(),:=<>!"-][^\s(),:=<>!"]*$/;
const DAYS_BEFORE = /^-\d{1,5}[dwmy](?:[+-]\d{1,5}[dwmy])?$/;
const PRIORITY_NAMES: Readonly<Record<string, string>> = { 1: "low", 2: "medium", 3: "high" };
const OPERATORS: Readonly<Partial<Record<FilterOp, string>>> = {
  has: "contains",
  begins: "begins with",
  empty: "is empty",
};

/** The filter as terse text, which is read as the same filter. */
export function printFilterOf<Field extends string>(fields: FilterFields<Field>, filter: Filter<Field> | null): string {
  return filter === null ? "" : print(filter, "or", fields.kindOf);
}

/** `inside` is what the text is joined by, which decides about parentheses. */
function print<Field extends string>(
  filter: Filter<Field>,
  inside: "or" | "and" | "not",
  kindOf: FilterFields<Field>["kindOf"],
): string {
  if ("or" in filter) {
    const text = filter.or.map((part) => print(part, "and", kindOf)).join(" or ");
    return inside === "or" ? text : `(${text})`;
  }
  if ("and" in filter) {
    const text = filter.and.map((part) => print(part, "not", kindOf)).join(" and ");
    return inside === "not" ? `(${text})` : text;
  }
  if (!isCondition(filter)) return `not ${print(filter.not, "not", kindOf)}`;
  return printCondition(filter, kindOf(filter.field));
}

function printCondition({ field, op, values }: Condition, kind: FilterKind): string {
  const names = field === "priority" ? values.map((value) => PRIORITY_NAMES[value] ?? value) : values;
  const isText = kind === "text";
  const isShort = op === (isText ? "has" : "is");
  const operator = isShort ? ":" : isText && op === "is" ? "=" : ` ${OPERATORS[op] ?? op} `;
  return `${field}${operator}${names.map(printValue).join(",")}`.trimEnd();
}

function printValue(value: string): string {
  return DAYS_BEFORE.test(value) || PLAIN_VALUE.test(value) ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}
