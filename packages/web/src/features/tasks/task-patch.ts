import { isPlainDate } from "../../dates/day.ts";
import type { Task, TaskPatch } from "./task.ts";

type ProjectRef = NonNullable<Task["project"]>;

/** The task as the server is expected to return it after this change, for showing it optimistically. */
export function applyPatch(
  task: Task,
  patch: TaskPatch,
  now: string,
  findProject: (id: string) => ProjectRef | undefined,
): Task {
  const status = patch.status ?? task.status;
  const projectId = patch.projectId === undefined ? task.projectId : patch.projectId;
  const dueDate = patch.dueDate === undefined ? task.dueDate : patch.dueDate;
  const dueTime = patch.dueTime === undefined ? task.dueTime : patch.dueTime;
  return {
    ...task,
    title: patch.title?.trim() ?? task.title,
    description: patch.description === undefined ? task.description : patch.description,
    status,
    priority: patch.priority ?? task.priority,
    projectId,
    project: projectId === task.projectId ? task.project : projectRefOf(projectId, findProject),
    dueDate,
    dueTime: dueDate !== null && isPlainDate(dueDate) ? dueTime : null,
    tags: patch.tags ?? task.tags,
    parentId: patch.parentId === undefined ? task.parentId : patch.parentId,
    repeat: patch.repeat === undefined ? task.repeat : patch.repeat,
    repeatFrom: patch.repeatFrom ?? task.repeatFrom,
    repeatTimezone: patch.repeatTimezone === undefined ? task.repeatTimezone : patch.repeatTimezone,
    snoozedUntil: patch.snoozedUntil === undefined ? task.snoozedUntil : patch.snoozedUntil,
    completedAt: status === "done" ? (task.completedAt ?? now) : null,
  };
}

/** The change that restores the fields that `patch` touches to their current values. */
export function inverseOf(patch: TaskPatch, task: Task): TaskPatch {
  return {
    ...(patch.title !== undefined && { title: task.title }),
    ...(patch.description !== undefined && { description: task.description }),
    ...(patch.status !== undefined && { status: task.status }),
    ...(isPriority(task.priority) && patch.priority !== undefined && { priority: task.priority }),
    ...(patch.projectId !== undefined && { projectId: task.projectId }),
    ...(patch.dueDate !== undefined && { dueDate: task.dueDate }),
    // A date may take its time with it.
    ...((patch.dueDate !== undefined || patch.dueTime !== undefined) && { dueTime: task.dueTime }),
    ...(patch.tags !== undefined && { tags: task.tags }),
    ...(patch.parentId !== undefined && { parentId: task.parentId }),
    // A rule gives a task that has no date its first one.
    ...(patch.repeat !== undefined && { repeat: task.repeat, dueDate: task.dueDate, dueTime: task.dueTime }),
    ...(patch.repeatFrom !== undefined && { repeatFrom: task.repeatFrom }),
    ...(patch.repeatTimezone !== undefined && { repeatTimezone: task.repeatTimezone }),
    ...(patch.snoozedUntil !== undefined && { snoozedUntil: task.snoozedUntil }),
  };
}

const FIELDS = [
  "title",
  "description",
  "status",
  "priority",
  "projectId",
  "dueDate",
  "dueTime",
  "tags",
  "parentId",
  "repeat",
  "repeatFrom",
  "repeatTimezone",
  "snoozedUntil",
] as const;

/** Whether the patch would change anything. */
export function isChange(patch: TaskPatch, task: Task): boolean {
  const current = inverseOf(patch, task);
  return FIELDS.some(
    (field) => patch[field] !== undefined && JSON.stringify(current[field]) !== JSON.stringify(patch[field]),
  );
}

function isPriority(value: number): value is 1 | 2 | 3 {
  return value === 1 || value === 2 || value === 3;
}

function projectRefOf(id: string | null, findProject: (id: string) => ProjectRef | undefined): ProjectRef | null {
  const project = id === null ? undefined : findProject(id);
  return project === undefined ? null : { id: project.id, name: project.name, color: project.color };
}
