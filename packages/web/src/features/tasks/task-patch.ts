import { isPlainDate } from "../../dates/day.ts";
import type { Task, TaskPatch } from "./task.ts";

type ProjectRef = NonNullable<Task["project"]>;

/** Of the request, not of the task; whom a task is meant for is changed by handing it over. */
const OTHERS = new Set<string>(["expectedVersion", "claimId", "assignee"]);
type Field = Exclude<keyof TaskPatch, "expectedVersion" | "claimId" | "assignee">;

/** The fields that a patch gives, whichever the server knows. */
function fieldsOf(patch: TaskPatch): Field[] {
  const isField = (name: string): name is Field => !OTHERS.has(name);
  return Object.keys(patch)
    .filter(isField)
    .filter((field) => patch[field] !== undefined);
}

/** The task as the server is expected to return it after this change, for showing it optimistically. */
export function applyPatch(
  task: Task,
  patch: TaskPatch,
  now: string,
  findProject: (id: string) => ProjectRef | undefined,
): Task {
  const given: Partial<Task> = Object.fromEntries(fieldsOf(patch).map((field) => [field, patch[field]]));
  const changed = { ...task, ...given };
  const { title, status, projectId, dueDate, dueTime } = changed;
  return {
    ...changed,
    title: title.trim(),
    project: projectId === task.projectId ? task.project : projectRefOf(projectId, findProject),
    dueTime: dueDate !== null && isPlainDate(dueDate) ? dueTime : null,
    completedAt: status === "done" ? (task.completedAt ?? now) : null,
  };
}

/** What else a field may change: a date takes its time with it, and a rule gives a task that has no date its first one. */
const BESIDE: Partial<Record<Field, readonly Field[]>> = { dueDate: ["dueTime"], repeat: ["dueDate", "dueTime"] };

/** The change that restores the fields that `patch` touches to their current values. */
export function inverseOf(patch: TaskPatch, task: Task): TaskPatch {
  const touched = new Set(fieldsOf(patch).flatMap((field) => [field, ...(BESIDE[field] ?? [])]));
  return Object.fromEntries([...touched].map((field) => [field, task[field]]));
}

/** Whether the patch would change anything. */
export function isChange(patch: TaskPatch, task: Task): boolean {
  return fieldsOf(patch).some((field) => JSON.stringify(task[field]) !== JSON.stringify(patch[field]));
}

function projectRefOf(id: string | null, findProject: (id: string) => ProjectRef | undefined): ProjectRef | null {
  const project = id === null ? undefined : findProject(id);
  return project === undefined ? null : { id: project.id, name: project.name, color: project.color };
}
