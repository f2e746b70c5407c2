import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import * as z from "zod";
import { assertVersion, parseExpectedVersions } from "../../platform/entity-version.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { givesFields } from "../../platform/given-fields.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, cursorText, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { isActiveProject, selectActiveProjectNames } from "../projects/project.queries.ts";
import type { ChangeMark } from "./task-change.ts";
import { changeOf } from "./task-diff.ts";
import { newTaskOf } from "./task-text.ts";
import { applyPatch, defaultTask } from "./task-values.ts";
import {
  insertTask,
  selectTags,
  selectTask,
  selectTaskCounts,
  selectTaskForUpdate,
  selectTasks,
  setTaskDeletedAt,
  updateTask,
  type StoredTask,
} from "./task.queries.ts";
import type { CreateTask, DeletedTask, ListTasks, Task, TaskById, TaskCount, UpdateTask } from "./task.schema.ts";

const readPage = createPager("tasks", timeAndId, ({ createdAt, id }: Task) => [createdAt, id]);
const readTagPage = createPager("task-tags", z.tuple([cursorText]), (tag: string) => [tag]);

/** An update that undoes an earlier change. */
export interface UndoneChange {
  readonly id: string;
  /** Throws if the task is not as the change has left it. */
  readonly assertUnchanged: (current: StoredTask) => void;
}

export interface TaskServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** The server's: that of the days in texts, unless they come with one. */
  readonly timeZone: string;
}

export type TaskService = ReturnType<typeof createTaskService>;

/** Creates, lists, changes, deletes and restores tasks. */
export function createTaskService({ db, clock, ids, events, timeZone }: TaskServiceDeps) {
  const publish = (action: "create" | "edit" | "delete" | "restore", task: { id: string; title: string }) =>
    events.publish({ resource: "task", action, resourceId: task.id, resourceName: task.title });

  const mark = (author: Author, createdAt: Date, undoesId?: string): ChangeMark =>
    undoesId === undefined ? { id: ids(), author, createdAt } : { id: ids(), author, createdAt, undoesId };

  return {
    /** Newest first. An unknown `projectId` matches nothing. */
    async list({ limit, cursor, ...filter }: ListTasks): Promise<Page<Task>> {
      const matchesNothing = filter.projectId !== undefined && !isUuid(filter.projectId);
      return readPage({ limit, cursor, filter }, async (range) =>
        matchesNothing ? [] : selectTasks(db.pool, filter, range),
      );
    },

    /** Includes deleted tasks. Throws {@link NotFoundError}. */
    async get(id: string): Promise<Task> {
      return requireTask(isUuid(id) ? await selectTask(db.pool, id) : null);
    },

    async listTags(paging: Paging = {}): Promise<Page<string>> {
      return readTagPage(paging, (range) => selectTags(db.pool, range));
    },

    /** Of each status in each project, and in none. */
    async counts(): Promise<TaskCount[]> {
      return selectTaskCounts(db.pool);
    },

    /**
     * Creates a task from its fields, or from a text that mentions them. Throws {@link InvalidInputError} if `projectId` is not
     * an active project.
     */
    async create(input: CreateTask, author: Author): Promise<Task> {
      const now = clock.now();
      const fields = await newTaskOf(input, { now, timeZone, listProjects: () => selectActiveProjectNames(db.pool) });
      const values = applyPatch(defaultTask(ids()), fields, now);
      if (values.projectId !== null && !isUuid(values.projectId)) throw noSuchProject();
      const task = await insertTask(db.pool, { ...values, author, createdAt: now });
      if (task === null) throw noSuchProject();
      publish("create", task);
      return task;
    },

    /**
     * Changes only the fields given. Throws {@link NotFoundError}, {@link InvalidInputError} if the task is deleted or
     * `projectId` is not an active project, PreconditionFailedError if `expectedVersion` does not match, and what the check of an
     * undone change throws.
     */
    async update({ id, expectedVersion, ...patch }: UpdateTask, author: Author, undone?: UndoneChange): Promise<Task> {
      const hasChanged = givesFields(patch);
      const task = await transaction(db.pool, async (client) => {
        const current = isUuid(id) ? await selectTaskForUpdate(client, id) : null;
        if (current === null) throw noSuchTask();
        if (current.deletedAt !== null)
          throw new InvalidInputError("The task is deleted. Restore it before changing it.");
        assertVersion(parseExpectedVersions(expectedVersion), current.version);
        undone?.assertUnchanged(current);
        await requireActiveProject(client, patch.projectId);
        if (hasChanged) {
          const now = clock.now();
          const values = applyPatch(current, patch, now);
          const change = changeOf(mark(author, now, undone?.id), current, values);
          await updateTask(client, values, { hasStatus: patch.status !== undefined, change });
        }
        return requireTask(await selectTask(client, id));
      });
      if (hasChanged) publish("edit", task);
      return task;
    },

    /**
     * Idempotent: a task that is already deleted keeps its deletion time. Throws PreconditionFailedError if `expectedVersion`
     * does not match.
     */
    async delete(input: TaskById, author: Author, undoesId?: string): Promise<DeletedTask> {
      const now = clock.now();
      const { task, hasChanged } = await changeDeletion(db, input, now, mark(author, now, undoesId));
      if (hasChanged) publish("delete", task);
      return task;
    },

    /** Throws {@link InvalidInputError} if the task is not deleted, and otherwise like `delete`. */
    async restore(input: TaskById, author: Author, undoesId?: string): Promise<DeletedTask> {
      const { task, hasChanged } = await changeDeletion(db, input, null, mark(author, clock.now(), undoesId));
      if (!hasChanged) throw new InvalidInputError("The task is not deleted.");
      publish("restore", task);
      return task;
    },
  };
}

async function changeDeletion(
  db: Db,
  { id, expectedVersion }: TaskById,
  deletedAt: Date | null,
  mark: ChangeMark,
): Promise<{ task: DeletedTask; hasChanged: boolean }> {
  const versions = parseExpectedVersions(expectedVersion);
  const result = isUuid(id) ? await setTaskDeletedAt(db.pool, { id, deletedAt, versions, mark }) : null;
  if (result === null) throw noSuchTask();
  const { hasChanged, version, ...task } = result;
  assertVersion(versions, version);
  return { task, hasChanged };
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
