import { toPlainDate, type Day } from "../../dates/day.ts";
import { NO_PROJECT, type TaskFilter } from "./task-filter.ts";
import type { Priority, TaskStatus } from "./task.ts";

/** A task being written. */
export interface NewTaskDraft {
  readonly title: string;
  readonly projectId: string | null;
  readonly priority: Priority;
  readonly dueDate: string | null;
  readonly dueTime: string | null;
  readonly status: TaskStatus;
  readonly tags: readonly string[];
  /** Words of the title that name no date or other field, although they could. */
  readonly refused: readonly string[];
}

/** What a new task has besides its title, unless something else is chosen. */
export type NewTaskDefaults = Partial<Omit<NewTaskDraft, "title" | "refused">>;

/** The fields that a new task needs in order to match this filter. */
export function defaultsFrom(filter: TaskFilter, today: Day): NewTaskDefaults {
  const [status] = filter.statuses;
  const [projectId] = filter.projectIds;
  return {
    ...(filter.statuses.length === 1 && status !== undefined && { status }),
    ...(filter.projectIds.length === 1 &&
      projectId !== undefined && { projectId: projectId === NO_PROJECT ? null : projectId }),
    ...(filter.tags.length === 1 && { tags: filter.tags }),
    ...(filter.due.length === 1 && filter.due[0] === "today" && { dueDate: toPlainDate(today) }),
  };
}
