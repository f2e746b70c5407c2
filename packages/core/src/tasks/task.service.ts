import { transaction, type Db, type PoolClient } from "@workspace/db";
import * as z from "zod";
import type { Clock } from "../platform/clock.ts";
import { assertVersion, parseExpectedVersions } from "../platform/entity-version.ts";
import { InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import { toSearchText } from "../platform/fold-text.ts";
import { isUuid, type IdGenerator } from "../platform/ids.ts";
import { createCursors, cursorText, rowsFor, timeAndId, toPage, type Page, type Paging } from "../platform/paging.ts";
import { parseDueDate } from "./due-date.ts";
import { normalizeTags } from "./tags.ts";
import { completedAtFor } from "./task-status.ts";
import {
  insertTask,
  isActiveProject,
  selectTags,
  selectTask,
  selectTaskForUpdate,
  selectTasks,
  setTaskDeletedAt,
  updateTask,
  type StoredTask,
  type TaskValues,
} from "./task.queries.ts";
import type { CreateTask, DeletedTask, ListTasks, Task, UpdateTask } from "./task.schema.ts";

const cursors = createCursors("tasks", timeAndId);
const tagCursors = createCursors("task-tags", z.tuple([cursorText]));

export interface TaskServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
}

export type TaskService = ReturnType<typeof createTaskService>;

/** Tasks: created, filtered, changed, and kept when deleted. */
export function createTaskService({ db, clock, ids, events }: TaskServiceDeps) {
  const publish = (action: "create" | "edit" | "delete" | "restore", task: { id: string; title: string }) =>
    events.publish({ resource: "task", action, resourceId: task.id, resourceName: task.title });

  async function setDeletedAt(
    id: string,
    deletedAt: Date | null,
    expectedVersion: string | undefined,
  ): Promise<{ task: DeletedTask; hasChanged: boolean }> {
    const versions = parseExpectedVersions(expectedVersion);
    const result = isUuid(id) ? await setTaskDeletedAt(db.pool, { id, deletedAt, versions }) : null;
    if (result === null) throw noSuchTask();
    const { hasChanged, version, ...task } = result;
    assertVersion(versions, version);
    return { task, hasChanged };
  }

  return {
    /** Newest first. A `projectId` that names nothing finds nothing. */
    async list({ limit, cursor, ...filter }: ListTasks): Promise<Page<Task>> {
      const position = cursors.read(cursor, filter);
      if (filter.projectId !== undefined && !isUuid(filter.projectId)) return { items: [] };
      const rows = await selectTasks(db.pool, filter, {
        limit: limit === undefined ? undefined : limit + 1,
        after: position === undefined ? undefined : { createdAt: position[0], id: position[1] },
      });
      return toPage(rows, limit, (task) => cursors.write([task.createdAt, task.id], filter));
    },

    /** Also answers a deleted task. Throws {@link NotFoundError}. */
    async get(id: string): Promise<Task> {
      return requireTask(isUuid(id) ? await selectTask(db.pool, id) : null);
    },

    async listTags({ limit, cursor }: Paging = {}): Promise<Page<string>> {
      const rows = await selectTags(db.pool, { limit: rowsFor(limit), after: tagCursors.read(cursor) });
      return toPage(rows, limit, (tag) => tagCursors.write([tag]));
    },

    /** Throws {@link InvalidInputError} where `projectId` names no active project. */
    async create(input: CreateTask, creatorId: string): Promise<Task> {
      const now = clock.now();
      const values = applyPatch(
        {
          id: ids(),
          title: input.title,
          description: null,
          status: "todo",
          priority: 2,
          projectId: null,
          dueDate: null,
          tags: [],
          completedAt: null,
          deletedAt: null,
          version: 1,
        },
        input,
        now,
      );
      if (values.projectId !== null && !isUuid(values.projectId)) throw noSuchProject();
      const task = await insertTask(db.pool, { ...values, creatorId, createdAt: now });
      if (task === null) throw noSuchProject();
      publish("create", task);
      return task;
    },

    /**
     * Changes what is given and nothing else. Throws {@link NotFoundError}; {@link InvalidInputError} for a deleted task
     * or a `projectId` that names no active project; PreconditionFailedError where `expectedVersion` does not match.
     */
    async update({ id, expectedVersion, ...patch }: UpdateTask): Promise<Task> {
      const task = await transaction(db.pool, async (client) => {
        const current = isUuid(id) ? await selectTaskForUpdate(client, id) : null;
        if (current === null) throw noSuchTask();
        if (current.deletedAt !== null)
          throw new InvalidInputError("The task is deleted. Restore it before changing it.");
        assertVersion(parseExpectedVersions(expectedVersion), current.version);
        await requireActiveProject(client, patch.projectId);
        await updateTask(client, applyPatch(current, patch, clock.now()));
        return requireTask(await selectTask(client, id));
      });
      publish("edit", task);
      return task;
    },

    /**
     * Idempotent: a task that is deleted already keeps the time of its deletion. Throws PreconditionFailedError where
     * `expectedVersion` does not match.
     */
    async delete(id: string, expectedVersion?: string): Promise<DeletedTask> {
      const { task, hasChanged } = await setDeletedAt(id, clock.now(), expectedVersion);
      if (hasChanged) publish("delete", task);
      return task;
    },

    /** Throws {@link InvalidInputError} where the task is not deleted, and as `delete`. */
    async restore(id: string, expectedVersion?: string): Promise<DeletedTask> {
      const { task, hasChanged } = await setDeletedAt(id, null, expectedVersion);
      if (!hasChanged) throw new InvalidInputError("The task is not deleted.");
      publish("restore", task);
      return task;
    },
  };
}

function applyPatch(current: StoredTask, patch: Omit<UpdateTask, "id" | "expectedVersion">, now: Date): TaskValues {
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

async function requireActiveProject(client: PoolClient, projectId: string | null | undefined): Promise<void> {
  if (projectId === undefined || projectId === null) return;
  if (!isUuid(projectId) || !(await isActiveProject(client, projectId))) throw noSuchProject();
}

function requireTask(task: Task | null): Task {
  if (task === null) throw noSuchTask();
  return task;
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}

function noSuchProject(): InvalidInputError {
  return InvalidInputError.at("projectId", "expected the id of an active project");
}
