import type { Bind } from "@workspace/db";
import { foldText, toPrefixPattern, toSearchPattern } from "../fold-text.ts";
import { isUuid } from "../ids.ts";
import { daysOf, OVERDUE, type DayRange, type FilterContext } from "./filter-days.ts";
import { NONE, type Condition, type Filter } from "./filter.ts";

/**
 * The condition on a row that holds if it matches. `conditionSql` writes a single condition, which is never null, so that its
 * opposite holds for all other rows.
 */
export function filterSqlOf<Field extends string>(
  filter: Filter<Field>,
  conditionSql: (condition: Condition<Field>) => string,
): string {
  if ("and" in filter) return `(${filter.and.map((part) => filterSqlOf(part, conditionSql)).join(" AND ")})`;
  if ("or" in filter) return `(${filter.or.map((part) => filterSqlOf(part, conditionSql)).join(" OR ")})`;
  if ("not" in filter) return `(NOT ${filterSqlOf(filter.not, conditionSql)})`;
  return `(${conditionSql(filter)})`;
}

export function idSql(id: string, type: "uuid" | "text", values: readonly string[], bind: Bind): string {
  const named = `(${id}) IS NOT NULL AND (${id}) = ANY(${bind(values.filter(isUuid))}::${type}[])`;
  return values.includes(NONE) ? `(${named}) OR (${id}) IS NULL` : named;
}

export function flagSql(condition: string, values: readonly string[]): string {
  const either = [values.includes("yes") && `(${condition})`, values.includes("no") && `NOT (${condition})`];
  return either.filter((part) => part !== false).join(" OR ");
}

/** A comparison of a number that is never null. */
export function numberSql(column: string, { op, values }: Condition, type: string, bind: Bind): string {
  const numbers = values.map(Number);
  return op === "is" ? `${column} = ANY(${bind(numbers)}::${type}[])` : `${column} ${op} ${bind(numbers[0])}::${type}`;
}

/** A comparison of a text that is stored folded. */
export function foldedSql(expression: string, condition: Condition, bind: Bind): string {
  return textSql(expression, { ...condition, values: condition.values.map(foldText) }, bind);
}

/** A run that an index of trigrams can find. */
const INDEXED = /[\p{L}\p{N}]{3}/u;

/** Whether an index of trigrams can find the texts that contain one of the values. */
export function canUseTrigrams(values: readonly string[]): boolean {
  return values.every((value) => INDEXED.test(value));
}

/** A comparison of a text as people wrote it, whatever its case. */
export function writtenSql(column: string, condition: Condition, bind: Bind): string {
  const values = condition.values.map((value) => value.toLowerCase());
  return textSql(`lower(${column} COLLATE "und-x-icu")`, { ...condition, values }, bind);
}

function textSql(expression: string, { op, values }: Condition, bind: Bind): string {
  if (op === "empty") return `coalesce(${expression}, '') = ''`;
  if (op === "has") return `coalesce(${expression} LIKE ANY(${bind(values.map(partPattern))}::text[]), false)`;
  if (op === "begins") return `coalesce(${expression} LIKE ANY(${bind(values.map(toPrefixPattern))}::text[]), false)`;
  return `coalesce(${expression} = ANY(${bind(values)}::text[]), false)`;
}

function partPattern(text: string): string {
  return `%${toPrefixPattern(text)}`;
}

/** That a search text, which is stored folded, contains one of the values. */
export function searchSql(column: string, { op, values }: Condition, bind: Bind): string {
  return op === "empty" ? `${column} = ''` : `${column} LIKE ANY(${bind(values.map(toSearchPattern))}::text[])`;
}

/**
 * A comparison of an array of tags. `within` is the condition that one of the tags, or one in which they are nested, is in an array. It
 * is to be a subquery that an index finds, with `OFFSET 0`, or PostgreSQL may compute the paths of the tags of all rows instead.
 */
export function tagsSql(
  tags: string,
  { op, values }: Condition,
  { within, bind }: { within: (names: string) => string; bind: Bind },
): string {
  if (op === "is") {
    const named = `${tags} && ${bind(values)}::text[]`;
    return values.includes(NONE) ? `${named} OR ${tags} = '{}'` : named;
  }
  const names = values.map((value) => value.toLowerCase());
  if (op === "within") return within(`${bind(names)}::text[]`);
  // Tags are compared together, since a subquery for each row takes several times as long.
  const written = `lower(array_to_string(${tags}, ${SEPARATOR_SQL}) COLLATE "und-x-icu")`;
  const patterns = names.map((name) => partPattern(op === "begins" ? `${SEPARATOR}${name}` : name));
  return `${tags} <> '{}' AND ${SEPARATOR_SQL} || ${written} LIKE ANY(${bind(patterns)}::text[])`;
}

const SEPARATOR = "\u001f";
const SEPARATOR_SQL = "E'\\x1f'";

/** A comparison of a date, of which `within` says whether it is in a range. `isOpen` is what only holds for the overdue. */
export function datesSql(
  condition: Condition,
  context: FilterContext,
  { within, isOpen = "true" }: { within: (range: DayRange) => string; isOpen?: string },
): string {
  const parts = condition.values.map((value) => {
    const range = daysOf(condition, value, context);
    if (condition.op === "is" && value === NONE) return `NOT (${within({})})`;
    return value === OVERDUE ? `(${isOpen} AND ${within(range)})` : `(${within(range)})`;
  });
  return parts.join(" OR ");
}

/** Whether an instant is within days. */
export function instantSql(column: string, { from, before }: DayRange, { startOf }: FilterContext, bind: Bind): string {
  const parts = [`${column} IS NOT NULL`];
  if (from !== undefined) parts.push(`${column} >= ${bind(startOf(from))}::timestamptz`);
  if (before !== undefined) parts.push(`${column} < ${bind(startOf(before))}::timestamptz`);
  return parts.join(" AND ");
}
