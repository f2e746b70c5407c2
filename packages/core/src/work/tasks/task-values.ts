import { toSearchText } from "../../platform/fold-text.ts";
import { parseDueDate } from "./due-date.ts";
import { normalizeTags } from "./tags.ts";
import { completedAtFor } from "./task-status.ts";
import type { StoredTask, TaskValues } from "./task.queries.ts";
import type { UpdateTask } from "./task.schema.ts";

/** The values of a new task that its creator did not give. */
export function defaultTask(id: string): StoredTask {
  return {
    id,
    title: "",
    description: null,
    status: "todo",
    priority: 2,
    projectId: null,
    dueDate: null,
    tags: [],
    completedAt: null,
    deletedAt: null,
    version: 1,
  };
}

/** Changes only the fields given. */
export function applyPatch(
  current: StoredTask,
  patch: Omit<UpdateTask, "id" | "expectedVersion">,
  now: Date,
): TaskValues {
  const status = patch.status ?? current.status;
  const title = patch.title ?? current.title;
  const description = patch.description === undefined ? current.description : patch.description;
  const completedAt = current.completedAt === null ? null : new Date(current.completedAt);
  return {
    id: current.id,
    title,
    description,
    status,
    priority: patch.priority ?? current.priority,
    projectId: patch.projectId === undefined ? current.projectId : patch.projectId,
    dueDate: patch.dueDate === undefined ? current.dueDate : toDueDate(patch.dueDate),
    tags: patch.tags === undefined ? current.tags : normalizeTags(patch.tags),
    completedAt: completedAtFor(status, completedAt, now),
    modifiedAt: now,
    searchText: toSearchText(title, description),
  };
}

function toDueDate(text: string | null): string | null {
  return text === null ? null : parseDueDate(text);
}
