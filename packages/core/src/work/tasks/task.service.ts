import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import * as z from "zod";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, cursorText, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { isActiveProject, selectActiveProjectNames } from "../projects/project.queries.ts";
import { changeDeletion } from "./task-deletion.ts";
import { lockTaskDependencies } from "./task-dependencies.queries.ts";
import { newTaskOf } from "./task-text.ts";
import { requireParent } from "./task-tree.ts";
import { noSuchProject, updateWithin, type UndoneChange } from "./task-update.ts";
import { applyPatch, defaultTask } from "./task-values.ts";
import { insertTask, selectTags, selectTask, selectTaskCounts, selectTasks, type TaskValues } from "./task.queries.ts";
import type {
  CreateTask,
  DeletedTask,
  ListTasks,
  NewTask,
  Task,
  TaskById,
  TaskCount,
  UpdateTask,
} from "./task.schema.ts";

const readPage = createPager("tasks", timeAndId, ({ createdAt, id }: Task) => [createdAt, id]);
const readTagPage = createPager("task-tags", z.tuple([cursorText]), (tag: string) => [tag]);

export interface TaskServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** The server's: that of the days in texts, unless they come with one. */
  readonly timeZone: string;
}

export type TaskService = ReturnType<typeof createTaskService>;

/** Creates, lists, changes, deletes and restores tasks. */
export function createTaskService({ db, clock, ids, events, timeZone }: TaskServiceDeps) {
  const publish = (action: "create" | "edit" | "delete" | "restore", task: { id: string; title: string }) =>
    events.publish({ resource: "task", action, resourceId: task.id, resourceName: task.title });

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
      const task =
        values.parentId === null
          ? await insertTask(db.pool, { ...values, author, createdAt: now })
          : await insertSubtask(db, { ...values, parentId: values.parentId }, fields, { author, createdAt: now });
      if (task === null) throw noSuchProject();
      publish("create", task);
      return task;
    },

    /**
     * Changes only the fields given; {@link updateWithin} says what else changes. Throws {@link NotFoundError},
     * {@link InvalidInputError} if the task is deleted, `projectId` is not an active project or `parentId` not a task that can have it
     * as a subtask, PreconditionFailedError if `expectedVersion` does not match, ConflictError if a program ends the claim of somebody
     * else, and what the check of an undone change throws.
     */
    async update(input: UpdateTask, author: Author, undone?: UndoneChange): Promise<Task> {
      const { task, changed } = await transaction(db.pool, async (client) => ({
        changed: await updateWithin(client, input, { author, now: clock.now(), ids, undone }),
        task: requireTask(await selectTask(client, input.id)),
      }));
      changed.forEach((other) => publish("edit", other));
      return task;
    },

    /**
     * Deletes a task with its subtasks. Idempotent: one that is already deleted keeps its deletion time. Throws PreconditionFailedError if `expectedVersion`
     * does not match.
     */
    async delete(input: TaskById, author: Author, undoesId?: string): Promise<DeletedTask> {
      const now = clock.now();
      const { task, changed } = await changeDeletion(db, input, { deletedAt: now, now, author, ids, undoesId });
      changed.forEach((other) => publish("delete", other));
      return task;
    },

    /**
     * Restores a task with the subtasks that were deleted with it. Throws {@link InvalidInputError} if it is not deleted, and otherwise
     * like `delete`.
     */
    async restore(input: TaskById, author: Author, undoesId?: string): Promise<DeletedTask> {
      const restoration = { deletedAt: null, now: clock.now(), author, ids, undoesId };
      const { task, changed } = await changeDeletion(db, input, restoration);
      if (changed.length === 0) throw new InvalidInputError("The task is not deleted.");
      changed.forEach((other) => publish("restore", other));
      return task;
    },
  };
}

/** In the project of its parent, unless one was given. */
async function insertSubtask(
  db: Db,
  values: TaskValues & { readonly parentId: string },
  given: Pick<NewTask, "projectId">,
  creation: { author: Author; createdAt: Date },
): Promise<Task | null> {
  return transaction(db.pool, async (client) => {
    await lockTaskDependencies(client);
    const parent = await requireParent(client, values);
    const inherits = given.projectId === undefined && (await isActive(client, parent.projectId));
    return insertTask(client, { ...values, ...creation, ...(inherits && { projectId: parent.projectId }) });
  });
}

async function isActive(client: PoolClient, projectId: string | null): Promise<boolean> {
  return projectId !== null && (await isActiveProject(client, projectId));
}

function requireTask(task: Task | null): Task {
  if (task === null) throw noSuchTask();
  return task;
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}
