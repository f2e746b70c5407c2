import { column, defineComposedQuery, defineQuery, TaskStatus, type Queryable, type RowOf } from "@workspace/db";
import { FILTER_EXAMPLE } from "../task-filter/filter-example.ts";
import type { ReadFilter } from "../task-filter/filter-reader.ts";
import { filterSql } from "../task-filter/filter-sql.ts";
import { groupSql } from "../task-filter/group-sql.ts";
import { TASK_GROUPINGS, type TaskGrouping } from "../task-filter/task-grouping.ts";
import { IS_SNOOZED } from "./task.queries.ts";
import type { GroupCount } from "./task.schema.ts";

const TASK_COUNT = {
  projectId: column.uuid.nullable,
  status: column.oneOf(TaskStatus),
  count: column.integer.neverNull,
  snoozed: column.integer.neverNull,
};

const taskCounts = defineQuery({
  name: "select-task-counts",
  row: TASK_COUNT,
  text: `
    SELECT project_id AS "projectId", status, count(*)::int AS count,
      (count(*) FILTER (WHERE ${IS_SNOOZED}))::int AS snoozed FROM tasks t
    WHERE deleted_at IS NULL GROUP BY project_id, status`,
});

/** How many tasks there are of each status in each project, and in none; deleted ones do not count. */
export async function selectTaskCounts(db: Queryable): Promise<RowOf<typeof TASK_COUNT>[]> {
  return taskCounts.all(db);
}

const MAX_GROUPS = 1_000;

const groupCounts = defineComposedQuery({
  name: "select-task-group-counts",
  row: { key: column.text.neverNull, count: column.integer.neverNull },
  compose: ({ by, filtered: { filter, context } }: { by: TaskGrouping; filtered: ReadFilter }, bind) => `
    SELECT ${groupSql(by, context, bind)} AS key, count(*)::int AS count FROM tasks t
    WHERE t.deleted_at IS NULL ${filter === null ? "" : `AND ${filterSql(filter, context, bind)}`}
    GROUP BY 1 ORDER BY count DESC, key LIMIT ${MAX_GROUPS}`,
  examples: [
    { by: "due", filtered: FILTER_EXAMPLE },
    ...TASK_GROUPINGS.map((by) => ({ by, filtered: { ...FILTER_EXAMPLE, filter: null } })),
  ],
});

/** How many of the matching tasks are in each group; deleted ones do not count. The largest groups, if there are very many. */
export function selectGroupCounts(db: Queryable, by: TaskGrouping, filtered: ReadFilter): Promise<GroupCount[]> {
  return groupCounts.all(db, { by, filtered });
}
