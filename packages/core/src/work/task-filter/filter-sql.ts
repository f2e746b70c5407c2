import type { Bind } from "@workspace/db";
import type { DayRange, FilterContext } from "../../platform/filter/filter-days.ts";
import {
  canUseTrigrams,
  datesSql,
  filterSqlOf,
  flagSql,
  foldedSql,
  idSql,
  instantSql,
  numberSql,
  searchSql,
  tagsSql,
  writtenSql,
} from "../../platform/filter/filter-sql.ts";
import { ME, OPEN } from "../../platform/filter/filter.ts";
import { PLAIN_LENGTH } from "./match-filter.ts";
import type { TaskCondition, TaskFilter } from "./task-fields.ts";

/** The condition on a task `t` that holds if it matches, as `match-filter.ts` decides it. It is never null. */
export function filterSql(filter: TaskFilter, context: FilterContext, bind: Bind): string {
  return filterSqlOf(filter, (condition) => conditionSql(condition, context, bind));
}

function conditionSql(condition: TaskCondition, context: FilterContext, bind: Bind): string {
  const { field, values } = condition;
  switch (field) {
    case "status": {
      const named = `t.status = ANY(${bind(values.filter((value) => value !== OPEN))}::task_status[])`;
      return values.includes(OPEN) ? `${named} OR t.status <> 'done'` : named;
    }
    case "priority":
      return numberSql("t.priority", condition, "smallint", bind);
    case "project":
      return idSql("t.project_id", "uuid", values, bind);
    case "parent":
      return idSql("t.parent_id", "uuid", values, bind);
    case "tag":
      return tagsSql("t.tags", condition, {
        within: (names) => `t.id IN (SELECT id FROM tasks WHERE tag_paths(tags) && ${names} OFFSET 0)`,
        bind,
      });
    case "assignee":
    case "creator": {
      const ids = values.map((value) => (value === ME ? (context.me ?? "") : value));
      return field === "creator"
        ? idSql("t.creator_id", "uuid", ids, bind)
        : idSql("t.assignee ->> 'id'", "text", ids, bind);
    }
    case "holder":
      return writtenSql(`(CASE WHEN ${isClaimed(context, bind)} THEN t.claim_holder END)`, condition, bind);
    case "claimed":
      return flagSql(isClaimed(context, bind), values);
    case "snoozed":
      return flagSql(
        `t.status <> 'done' AND t.snoozed_until IS NOT NULL AND t.snoozed_until > ${bind(context.now)}::timestamptz`,
        values,
      );
    case "title":
      return searchedPartSql(1, condition, bind);
    case "description":
      return searchedPartSql(2, condition, bind);
    case "text":
      return searchSql("t.search_text", condition, bind);
    case "due":
      return datesSql(condition, context, {
        within: (range) => dueSql(range, context, bind),
        isOpen: "t.status <> 'done'",
      });
    case "created":
    case "changed":
    case "completed":
      return datesSql(condition, context, {
        within: (range) => instantSql(INSTANTS[field], range, context, bind),
      });
  }
}

/** A comparison of the title or the description, which the search text consists of: what it contains is found by its index. */
function searchedPartSql(part: 1 | 2, condition: TaskCondition, bind: Bind): string {
  const exact = foldedSql(`split_part(t.search_text, E'\\x1f', ${part})`, condition, bind);
  if (condition.op === "empty" || !canUseTrigrams(condition.values)) return exact;
  return `${searchSql("t.search_text", condition, bind)} AND ${exact}`;
}

const INSTANTS = { created: "t.created_at", changed: "t.modified_at", completed: "t.completed_at" };

function isClaimed({ now }: FilterContext, bind: Bind): string {
  return `t.claim_expires_at IS NOT NULL AND t.claim_expires_at > ${bind(now)}::timestamptz`;
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
