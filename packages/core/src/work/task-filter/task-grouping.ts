import { addDays, type FilterContext } from "../../platform/filter/filter-days.ts";
import { PLAIN_LENGTH } from "./match-filter.ts";
import type { FilteredTask } from "./filtered-task.ts";
import { NONE } from "../../platform/filter/filter.ts";

/** By what tasks are grouped. Of several tags the first one counts, so that no task is in two groups. */
export const TASK_GROUPINGS = ["status", "priority", "project", "due", "tag", "assignee"] as const;
export type TaskGrouping = (typeof TASK_GROUPINGS)[number];

/** The groups of due dates, in order. What was done late, or early, is not overdue. */
export const DUE_GROUPS = ["overdue", "today", "tomorrow", "week", "later", "earlier", NONE] as const;
export type DueGroup = (typeof DUE_GROUPS)[number];

/** The group `week` is up to so many days after today. */
export const WEEK_DAYS = 7;

/** The first days of the groups that begin with one. */
export function dueGroupStarts(today: string): Readonly<Record<"today" | "tomorrow" | "week" | "later", string>> {
  return { today, tomorrow: addDays(today, 1), week: addDays(today, 2), later: addDays(today, WEEK_DAYS + 1) };
}

/** Returns the function that computes the group of a task, as `group-sql.ts` does: the value, or `none`. */
export function groupKeyOf(grouping: TaskGrouping, context: FilterContext): (task: FilteredTask) => string {
  switch (grouping) {
    case "status":
      return ({ status }) => status;
    case "priority":
      return ({ priority }) => String(priority);
    case "project":
      return ({ projectId }) => projectId ?? NONE;
    case "tag":
      // Of a tag with that name, too: then it is shown where those without one are.
      return ({ tags }) => tags[0] ?? NONE;
    case "assignee":
      return ({ assignee }) => assignee?.id ?? NONE;
    case "due": {
      const days = dueGroupStarts(context.today);
      const instants = {
        today: context.startOf(days.today),
        tomorrow: context.startOf(days.tomorrow),
        week: context.startOf(days.week),
        later: context.startOf(days.later),
      };
      return ({ dueDate, status }): DueGroup => {
        if (dueDate === null) return NONE;
        const starts = dueDate.length === PLAIN_LENGTH ? days : instants;
        if (dueDate < starts.today) return status === "done" ? "earlier" : "overdue";
        if (dueDate < starts.tomorrow) return "today";
        if (dueDate < starts.week) return "tomorrow";
        return dueDate < starts.later ? "week" : "later";
      };
    }
  }
}
