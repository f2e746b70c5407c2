import type { Bind } from "@workspace/db";
import type { FilterContext } from "../../platform/filter/filter-days.ts";
import { dueSql } from "./filter-sql.ts";
import { dueGroupStarts, type TaskGrouping } from "./task-grouping.ts";

/** The group of a task `t`, as `task-grouping.ts` computes it. */
export function groupSql(grouping: TaskGrouping, context: FilterContext, bind: Bind): string {
  switch (grouping) {
    case "status":
      return "t.status::text";
    case "priority":
      return "t.priority::text";
    case "project":
      return "COALESCE(t.project_id::text, 'none')";
    case "tag":
      return "COALESCE(t.tags[1], 'none')";
    case "assignee":
      return "COALESCE(t.assignee ->> 'id', 'none')";
    case "due": {
      const { today, tomorrow, week, later } = dueGroupStarts(context.today);
      const isBefore = (day: string) => dueSql({ before: day }, context, bind);
      return `CASE WHEN t.due_date IS NULL THEN 'none'
        WHEN ${isBefore(today)} THEN CASE WHEN t.status = 'done' THEN 'earlier' ELSE 'overdue' END
        WHEN ${isBefore(tomorrow)} THEN 'today' WHEN ${isBefore(week)} THEN 'tomorrow'
        WHEN ${isBefore(later)} THEN 'week' ELSE 'later' END`;
    }
  }
}
