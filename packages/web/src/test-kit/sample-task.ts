import type { Task } from "../features/tasks/task.ts";

let count = 0;

/** A task for tests, with the given fields. */
export function sampleTask(part: Partial<Task> = {}): Task {
  count += 1;
  return {
    id: `task-${count}`,
    title: `Task ${count}`,
    description: null,
    status: "todo",
    priority: 2,
    projectId: null,
    project: null,
    creator: { id: "user", name: "Ada" },
    dueDate: null,
    dueTime: null,
    tags: [],
    completedAt: null,
    deletedAt: null,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, count)).toISOString(),
    modifiedAt: "2026-01-01T00:00:00.000Z",
    version: "1",
    claim: null,
    handoverNote: null,
    parentId: null,
    position: `k${String(count).padStart(11, "0")}`,
    subtasks: { done: 0, total: 0 },
    checklist: { done: 0, total: 0 },
    repeat: null,
    repeatFrom: "due",
    repeatTimezone: null,
    nextId: null,
    snoozedUntil: null,
    assignee: null,
    ...part,
  };
}
