import type { PoolClient } from "@workspace/db";
import { InvalidInputError } from "../../platform/errors.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { toSearchText } from "../../platform/fold-text.ts";
import { parseDay } from "../capture/calendar-day.ts";
import { repetitionOf, type Repetition } from "../recurrence/repeated-due.ts";
import {
  copyPlaceAndChecklist,
  copyReminders,
  deleteUntouchedTasks,
  insertRepeatedSubtasks,
  setNextTask,
} from "./task-repetition.queries.ts";
import { MAX_TREE, selectSubtasks, selectTreeSize } from "./task-tree.queries.ts";
import { defaultTask, type ChangedAt } from "./task-values.ts";
import { insertTask, selectTask, type StoredTask, type TaskValues } from "./task.queries.ts";

/** A change of a task, in the transaction that makes it. */
export interface StatusChange extends ChangedAt {
  readonly before: StoredTask;
  readonly after: TaskValues;
  readonly author: Author;
  readonly ids: IdGenerator;
}

interface NamedTask {
  readonly id: string;
  readonly title: string;
}

/** What a change of status has led to: the task that follows a repeating one, and whether it was created or taken back. */
export interface Repeated {
  readonly nextId: string | null;
  readonly created: readonly NamedTask[];
  readonly removed: readonly NamedTask[];
}

/**
 * Creates the task that follows a repeating one when that is done, unless there is one already. When it is done no more, the task that
 * followed is taken back, unless somebody has changed it since. The row of the task must be locked, and stored as it is after the change:
 * then two who finish it at once create one.
 */
export async function repeatTask(client: PoolClient, change: StatusChange): Promise<Repeated> {
  const { before, after } = change;
  const { nextId } = before;
  const unchanged = { nextId, created: [], removed: [] };
  if ((before.status === "done") === (after.status === "done")) return unchanged;
  if (after.status === "done") {
    const existing = nextId === null ? null : await selectTask(client, nextId);
    if (existing !== null && existing.deletedAt === null) return unchanged;
    const next = await createNext(client, change);
    if (next === null) return unchanged;
    await setNextTask(client, after.id, next.id);
    return { nextId: next.id, created: [next], removed: [] };
  }
  const removed = nextId === null ? [] : await deleteUntouchedTasks(client, nextId);
  if (removed.length === 0) return unchanged;
  await setNextTask(client, after.id, null);
  return { nextId: null, created: [], removed };
}

/** The next date of a task that is not done now. Throws {@link InvalidInputError} if there is none. */
export function skippedTo(task: StoredTask, at: ChangedAt): Repetition {
  if (task.repeat === null) throw new InvalidInputError("The task does not repeat.");
  if (task.status === "done") throw new InvalidInputError("The task is done.");
  const next = repetitionOf(task, at);
  if (next === null)
    throw new InvalidInputError("This was the last date. Complete the task, or have it repeat no more.");
  return next;
}

async function createNext(client: PoolClient, change: StatusChange): Promise<NamedTask | null> {
  const { after, author, ids, now, timeZone } = change;
  const repetition = repetitionOf(after, { now, timeZone });
  if (repetition === null) return null;
  const { title, description, priority, projectId, dueTime, tags, repeatFrom, repeatTimezone } = after;
  const { completedAt: _, deletedAt: _deletedAt, version: _version, ...start } = defaultTask(ids());
  const next = {
    ...start,
    title,
    description,
    priority,
    projectId,
    dueTime,
    tags,
    repeatFrom,
    repeatTimezone,
    ...repetition,
    parentId: await parentWithRoom(client, after, start.id),
    completedAt: null,
    modifiedAt: now,
    searchText: toSearchText(title, description),
    author,
    createdAt: now,
  };
  // The project may have been deleted since.
  const created = (await insertTask(client, next)) ?? (await insertTask(client, { ...next, projectId: null }));
  if (created === null) return null;
  await copyParts(client, change, { id: created.id, dueDate: created.dueDate });
  return created;
}

/** The parent, unless it has as many subtasks as it can have. */
async function parentWithRoom(client: PoolClient, { parentId }: TaskValues, id: string): Promise<string | null> {
  if (parentId === null) return null;
  const { tasksInTree } = await selectTreeSize(client, { parentId, id });
  return tasksInTree < MAX_TREE ? parentId : null;
}

/** Copies the subtasks, with nothing done, and the checklists of all of them. */
async function copyParts(
  client: PoolClient,
  { after, author, ids, now }: StatusChange,
  { id, dueDate }: { id: string; dueDate: string | null },
): Promise<void> {
  const copies = new Map([[after.id, id]]);
  for (const subtask of await selectSubtasks(client, after.id))
    if (subtask.deletedAt === null) copies.set(subtask.id, ids());
  if (copies.size > 1) {
    const days = daysBetween(after.dueDate, dueDate);
    await insertRepeatedSubtasks(client, { copies, id, doneId: after.id, days, createdAt: now, author });
  }
  await copyPlaceAndChecklist(client, copies);
  await copyReminders(client, copies);
}

function daysBetween(from: string | null, to: string | null): number {
  const [first, last] = [from, to].map((date) => (date === null ? null : parseDay(date.slice(0, 10))));
  return first == null || last == null ? 0 : last - first;
}
