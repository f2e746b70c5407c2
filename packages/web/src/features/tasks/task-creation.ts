import { newLocalId } from "../../api/local-id.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import { sessionQuery } from "../../api/session.ts";
import type { Client } from "../../client/client.ts";
import { parseStored } from "../../browser/stored-value.ts";
import { drafts, useDraft } from "../../drafts/draft.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { serverIdOf, toServer } from "../outbox/kept-change.ts";
import { keptBy } from "./task-actions.ts";
import { createdTasks } from "./created-task.ts";
import { taskCollection } from "./task-collection.ts";
import { DEFAULT_PRIORITY, type NewTask, type Task } from "./task.ts";

const UNSAVED_KEY = "tasks.unsaved";

/**
 * A task that the user has created but the server has not accepted: stored in this browser until it is sent or discarded.
 */
export interface UnsavedTask {
  readonly input: NewTask;
  readonly reason: string;
}

/**
 * Creates a task optimistically. Returns the task as the server has it; undefined if it was not accepted, in which case it
 * is among the {@link useUnsavedTasks unsaved} tasks. One of many is not scrolled to.
 */
export async function createTask(
  client: Client,
  input: NewTask,
  { isOneOfMany = false } = {},
): Promise<Task | undefined> {
  const shown = optimisticTask(client, input);
  try {
    const written = writeOptimistically({
      collection: taskCollection(client),
      rowId: shown.id,
      chosenId: serverIdOf(shown.id),
      outbox: keptBy(client, shown.id, { kind: "create", input, shown }),
      apply: (task) => task ?? shown,
      send: () => client.api.tasks.create.mutate({ ...toServer(input), id: serverIdOf(shown.id) }),
      confirm: (output) => output.data,
    });
    if (!isOneOfMany) createdTasks(client).emit(shown);
    return await written;
  } catch (error) {
    setUnsaved(client, [...readUnsaved(client), { input, reason: error instanceof Error ? error.message : "" }]);
    return undefined;
  }
}

/** A new task, and how many of those before it contain it. */
export interface OutlinedTask {
  readonly input: NewTask;
  readonly depth: number;
}

/** Creates tasks one after the other, each below the one that contains it. Those that are not accepted are among the unsaved ones. */
export async function createTasks(client: Client, outline: readonly OutlinedTask[]): Promise<void> {
  const parents: (string | undefined)[] = [];
  for (const { input, depth } of outline) {
    const parentId = parents[depth - 1];
    const { projectId, ...fields } = input;
    // Without a project of its own, a subtask is in that of the task above.
    const placed = parentId === undefined ? input : { ...fields, parentId, ...(projectId && { projectId }) };
    const task = await createTask(client, placed, { isOneOfMany: true });
    parents.length = depth;
    parents[depth] = task?.id;
  }
}

export function retryUnsavedTasks(client: Client): void {
  const unsaved = readUnsaved(client);
  setUnsaved(client, []);
  for (const { input } of unsaved) void createTask(client, input);
}

export function discardUnsavedTasks(client: Client): void {
  setUnsaved(client, []);
}

export function useUnsavedTasks(): readonly UnsavedTask[] {
  const [stored] = useDraft(UNSAVED_KEY);
  return parseStored(stored, toUnsavedTasks);
}

function readUnsaved(client: Client): readonly UnsavedTask[] {
  return parseStored(drafts(client).read(UNSAVED_KEY), toUnsavedTasks);
}

function setUnsaved(client: Client, tasks: readonly UnsavedTask[]): void {
  drafts(client).write(UNSAVED_KEY, tasks.length === 0 ? null : JSON.stringify(tasks));
}

function toUnsavedTasks(value: unknown): readonly UnsavedTask[] {
  return Array.isArray(value) ? value.filter(isUnsavedTask) : [];
}

function isUnsavedTask(value: unknown): value is UnsavedTask {
  if (typeof value !== "object" || value === null || !("input" in value) || !("reason" in value)) return false;
  const { input } = value;
  return typeof input === "object" && input !== null && "title" in input && typeof input.title === "string";
}

/** At the end, where the server puts new tasks. */
function newPosition(createdAt: string): string {
  return `k${new Date(createdAt).getTime().toString(16).padStart(11, "0")}`;
}

/** The task as the server is expected to return it, with a temporary id. */
function optimisticTask(client: Client, input: NewTask): Task {
  const now = new Date().toISOString();
  const status = input.status ?? "todo";
  const project = typeof input.projectId === "string" ? projectCollection(client).get(input.projectId) : undefined;
  const user = client.queries.getQueryData(sessionQuery(client).queryKey);
  return {
    id: newLocalId(),
    title: input.title.trim(),
    description: input.description ?? null,
    status,
    priority: input.priority ?? DEFAULT_PRIORITY,
    projectId: input.projectId ?? null,
    project: project === undefined ? null : { id: project.id, name: project.name, color: project.color },
    creator: { id: user?.id ?? "", name: user?.name ?? "" },
    dueDate: input.dueDate ?? null,
    dueTime: input.dueTime ?? null,
    tags: input.tags ?? [],
    completedAt: status === "done" ? now : null,
    deletedAt: null,
    createdAt: now,
    modifiedAt: now,
    version: "",
    claim: null,
    handoverNote: null,
    parentId: input.parentId ?? null,
    position: newPosition(now),
    subtasks: { done: 0, total: 0 },
    checklist: { done: 0, total: 0 },
    repeat: input.repeat ?? null,
    repeatFrom: input.repeatFrom ?? "due",
    repeatTimezone: null,
    nextId: null,
    snoozedUntil: null,
    assignee: null,
  };
}
