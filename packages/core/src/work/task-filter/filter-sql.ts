import type { Bind } from "@workspace/db";
import { toSearchPattern } from "../../platform/fold-text.ts";
import { isUuid } from "../../platform/ids.ts";
import { OVERDUE, rangeBeside, rangeOf, type DayRange, type FilterContext } from "./filter-days.ts";
import { PLAIN_LENGTH } from "./match-filter.ts";
import { ME, NONE, OPEN, type Condition, type TaskFilter } from "./task-filter.ts";

/**
 * The condition on a task `t` that holds if it matches, as `match-filter.ts` decides it. It is never null, so that its opposite
 * holds for all other tasks.
 */
export function filterSql(filter: TaskFilter, context: FilterContext, bind: Bind): string {
  if ("and" in filter) return `(${filter.and.map((part) => filterSql(part, context, bind)).join(" AND ")})`;
  if ("or" in filter) return `(${filter.or.map((part) => filterSql(part, context, bind)).join(" OR ")})`;
  if ("not" in filter) return `(NOT ${filterSql(filter.not, context, bind)})`;
  return `(${conditionSql(filter, context, bind)})`;
}

function conditionSql(condition: Condition, context: FilterContext, bind: Bind): string {
  const { field, op, values } = condition;
  switch (field) {
    case "status": {
      const named = `t.status = ANY(${bind(values.filter((value) => value !== OPEN))}::task_status[])`;
      return values.includes(OPEN) ? `${named} OR t.status <> 'done'` : named;
    }
    case "priority":
      return op === "is"
        ? `t.priority = ANY(${bind(values.map(Number))}::smallint[])`
        : `t.priority ${op} ${bind(Number(values[0]))}::smallint`;
    case "project":
      return idSql("t.project_id", "uuid", values, bind);
    case "parent":
      return idSql("t.parent_id", "uuid", values, bind);
    case "tag": {
      const named = `t.tags && ${bind(values)}::text[]`;
      return values.includes(NONE) ? `${named} OR t.tags = '{}'` : named;
    }
    case "assignee":
    case "creator": {
      const ids = values.map((value) => (value === ME ? (context.me ?? "") : value));
      return field === "creator"
        ? idSql("t.creator_id", "uuid", ids, bind)
        : idSql("t.assignee ->> 'id'", "text", ids, bind);
    }
    case "claimed":
      return flagSql(
        `t.claim_expires_at IS NOT NULL AND t.claim_expires_at > ${bind(context.now)}::timestamptz`,
        values,
      );
    case "snoozed":
      return flagSql(
        `t.status <> 'done' AND t.snoozed_until IS NOT NULL AND t.snoozed_until > ${bind(context.now)}::timestamptz`,
        values,
      );
    case "text":
      return `t.search_text LIKE ANY(${bind(values.map(toSearchPattern))}::text[])`;
    case "due":
      return anySql(condition, context, (range) => dueSql(range, context, bind));
    case "created":
      return anySql(condition, context, (range) => instantSql("t.created_at", range, context, bind));
    case "changed":
      return anySql(condition, context, (range) => instantSql("t.modified_at", range, context, bind));
    case "completed":
      return anySql(condition, context, (range) => instantSql("t.completed_at", range, context, bind));
  }
}

function idSql(id: string, type: "uuid" | "text", values: readonly string[], bind: Bind): string {
  const named = `(${id}) IS NOT NULL AND (${id}) = ANY(${bind(values.filter(isUuid))}::${type}[])`;
  return values.includes(NONE) ? `(${named}) OR (${id}) IS NULL` : named;
}

function flagSql(condition: string, values: readonly string[]): string {
  const either = [values.includes("yes") && `(${condition})`, values.includes("no") && `NOT (${condition})`];
  return either.filter((part) => part !== false).join(" OR ");
}

function anySql({ op, values }: Condition, { today }: FilterContext, within: (range: DayRange) => string): string {
  const parts = values.map((value) => {
    const range = op === "is" ? rangeOf(value, today) : rangeBeside(op, value, today);
    if (value === NONE) return `NOT (${within({})})`;
    return value === OVERDUE ? `(t.status <> 'done' AND ${within(range)})` : `(${within(range)})`;
  });
  return parts.join(" OR ");
}

const DUE = `t.due_date COLLATE "C"`;

/** Whether a task is due within days. The comparisons with one bound alone are those that an index can find. */
export function dueSql({ from, before }: DayRange, { startOf }: FilterContext, bind: Bind): string {
  const parts = [`t.due_date IS NOT NULL`];
  const exact = (day: string) =>
    `CASE WHEN length(t.due_date) = ${PLAIN_LENGTH} THEN ${bind(day)}::text ELSE ${bind(startOf(day))}::text END`;
  if (from !== undefined) {
    const instant = startOf(from);
    parts.push(`${DUE} >= ${bind(from < instant ? from : instant)}`, `${DUE} >= ${exact(from)}`);
  }
  if (before !== undefined) {
    const instant = startOf(before);
    parts.push(`${DUE} < ${bind(before > instant ? before : instant)}`, `${DUE} < ${exact(before)}`);
  }
  return parts.join(" AND ");
}

function instantSql(column: string, { from, before }: DayRange, { startOf }: FilterContext, bind: Bind): string {
  const parts = [`${column} IS NOT NULL`];
  if (from !== undefined) parts.push(`${column} >= ${bind(startOf(from))}::timestamptz`);
  if (before !== undefined) parts.push(`${column} < ${bind(startOf(before))}::timestamptz`);
  return parts.join(" AND ");
}
