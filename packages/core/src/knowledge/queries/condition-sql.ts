import type { Bind } from "@workspace/db";
import { foldText, toSearchPattern } from "../../platform/fold-text.ts";
import { startOfDay } from "../../platform/time-zone.ts";
import type { Condition, QueryValue } from "./query-conditions.ts";
import type { Period } from "./query-dates.ts";
import type { Field } from "./query-fields.ts";

export type Comparison = Extract<Condition, { kind: "compare" }>;

/** How the conditions of one source are written in SQL. Each is true or false, never null. */
export interface ConditionForms {
  compare(comparison: Comparison): string;
  isEmpty(field: Field): string;
  /** That a field is set, and not to `false`. */
  isSet(field: Field): string;
}

/** A condition in SQL. */
export function toSql(condition: Condition, forms: ConditionForms): string {
  switch (condition.kind) {
    case "all":
    case "any": {
      const parts = condition.parts.map((part) => toSql(part, forms));
      return `(${parts.join(condition.kind === "all" ? " AND " : " OR ")})`;
    }
    case "not":
      return `NOT ${toSql(condition.part, forms)}`;
    case "empty":
      return `(${forms.isEmpty(condition.field)})`;
    case "set":
      return `(${forms.isSet(condition.field)})`;
    case "compare":
      return `(${forms.compare(condition)})`;
  }
}

/** A comparison of an expression that is folded text. */
export function foldedText(expression: string, { operator, value }: Comparison, bind: Bind): string {
  const text = textOf(value);
  if (operator === "has") return `coalesce(${expression} LIKE ${bind(toSearchPattern(text))}, false)`;
  if (operator === "begins") return `coalesce(starts_with(${expression}, ${bind(foldText(text))}), false)`;
  return `coalesce(${expression} = ${bind(foldText(text))}, false)`;
}

/** A comparison of a column that is text as people wrote it. */
export function writtenText(column: string, comparison: Comparison, bind: Bind): string {
  return foldedText(`lower(${column} COLLATE "und-x-icu")`, comparison, bind);
}

/** The condition that a project with such a name is the one of a row; projects are far fewer than rows. */
export function inProject(id: string, comparison: Comparison, bind: Bind): string {
  const projects = `SELECT id FROM projects WHERE deleted_at IS NULL AND ${writtenText("name", comparison, bind)}`;
  return `coalesce(${id} IN (${projects}), false)`;
}

/** The condition that one of the tags in an array is a tag or nested in it; for `has` and `begins`, that one looks so. */
export function hasTag(tags: string, comparison: Comparison, bind: Bind): string {
  const text = textOf(comparison.value).replace(/^#/, "");
  const wanted: Comparison = { ...comparison, value: { kind: "text", text } };
  const isNested = comparison.operator === "=" ? ` OR starts_with(lower(tag), ${bind(`${foldText(text)}/`)})` : "";
  return `${tags} <> '{}' AND EXISTS (SELECT FROM unnest(${tags}) AS tag
    WHERE ${foldedText("lower(tag)", wanted, bind)}${isNested})`;
}

/** A comparison of a number with the value's number. */
export function number(expression: string, { operator, value }: Comparison, bind: Bind): string {
  const wanted = value.kind === "number" ? value.number : 0;
  const sign = operator === "has" || operator === "begins" ? "=" : operator;
  return `${expression} ${sign} ${bind(wanted)}::float8`;
}

/** A comparison of a column of instants with days in a time zone. */
export function instant(column: string, { operator, value }: Comparison, timeZone: string, bind: Bind): string {
  const { from, to } = periodOf(value);
  const at = (day: string): string => `${bind(startOfDay(timeZone, day))}::timestamptz`;
  return `coalesce(${inPeriod({ expression: column, operator, from: () => at(from), to: () => at(to) })}, false)`;
}

/** `=` is within the period, `<` before it, `>` after it. */
export function inPeriod({
  expression,
  operator,
  from,
  to,
}: {
  readonly expression: string;
  readonly operator: Comparison["operator"];
  readonly from: () => string;
  readonly to: () => string;
}): string {
  if (operator === "<") return `${expression} < ${from()}`;
  if (operator === "<=") return `${expression} < ${to()}`;
  if (operator === ">") return `${expression} >= ${to()}`;
  if (operator === ">=") return `${expression} >= ${from()}`;
  return `(${expression} >= ${from()} AND ${expression} < ${to()})`;
}

export function textOf(value: QueryValue): string {
  return value.kind === "text" ? value.text : "";
}

export function periodOf(value: QueryValue): Period {
  return value.kind === "period" ? value.period : { from: "", to: "" };
}

/** A time as text in JSON, as everywhere in responses. */
export function jsonTime(column: string): string {
  return `to_jsonb(to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
}
