import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createFilterReader } from "../task-filter/filter-reader.ts";
import { selectActiveProjectNames } from "../projects/project.queries.ts";
import { createTask } from "./task-creation.ts";
import { chosenFirstWeekday } from "../calendar-settings/first-weekday.ts";
import { changeDeletion } from "./task-deletion.ts";
import { replaceNamedNotes, type NamedNote } from "./named-notes.queries.ts";
import { skippedTo } from "./task-repetition.ts";
import { newTaskOf } from "./task-text.ts";
import { updateWithin, type UndoneChange, type UpdateContext } from "./task-update.ts";
import { selectTask, selectTaskForUpdate, selectTasks } from "./task.queries.ts";
import type { CreateTask, DeletedTask, ListTasks, Task, TaskById, UpdateTask } from "./task.schema.ts";

const readPage = createPager("tasks", timeAndId, ({ createdAt, id }: Task) => [createdAt, id]);

/** Writes what belongs to a change, in its transaction. */
export type Alongside = (client: PoolClient, task: Task) => Promise<void>;

export interface TaskServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** The server's: that of the days in texts, unless they come with one. */
  readonly timeZone: string;
  /** Finds the notes that a description names; without it, none are recorded. */
  readonly findNamedNotes?: (description: string) => Promise<readonly NamedNote[]>;
}

export type TaskService = ReturnType<typeof createTaskService>;

/** Creates, lists, changes, deletes and restores tasks. */
export function createTaskService({ db, clock, ids, events, timeZone, findNamedNotes }: TaskServiceDeps) {
  const publish = publisherOf(events);

  const change = createChanger(db, publish);

  /** The notes that a description names; none if it stays as it is. */
  const namedIn = async (description: string | null | undefined): Promise<readonly NamedNote[]> =>
    typeof description === "string" && findNamedNotes !== undefined ? findNamedNotes(description) : [];
  const readFilter = createFilterReader({ db, clock, timeZone });
  return {
    /** Newest first. An unknown `projectId` matches nothing. `me` is the user whom a filter can mean. */
    async list({ limit, cursor, ...selection }: ListTasks, me: string | null = null): Promise<Page<Task>> {
      const { filter, timezone, firstWeekday, ...others } = selection;
      const filtered = filter === undefined ? undefined : await readFilter({ filter, timezone, firstWeekday }, me);
      if (others.projectId !== undefined && !isUuid(others.projectId)) return { items: [] };
      return readPage({ limit, cursor, filter: selection }, (range) =>
        selectTasks(db.pool, { ...others, filtered }, range),
      );
    },

    /** Includes deleted tasks. Throws {@link NotFoundError}. */
    async get(id: string): Promise<Task> {
      return requireTask(isUuid(id) ? await selectTask(db.pool, id) : null);
    },

    /**
     * Creates a task from its fields, or from a text that mentions them; only once for each id that the caller chooses. Throws
     * {@link InvalidInputError} if `projectId` is not an active project, and ConflictError if somebody else's task has the id.
     */
    async create(input: CreateTask, author: Author, alongside?: Alongside): Promise<Task> {
      const now = clock.now();
      const fields = await newTaskOf(input, {
        now,
        timeZone,
        listProjects: () => selectActiveProjectNames(db.pool),
        findFirstWeekday: () => chosenFirstWeekday(db.pool),
      });
      const creation = { author, createdAt: now, notes: await namedIn(fields.description), alongside };
      const created = await createTask({ db, ids, timeZone }, { ...fields, id: input.id }, creation);
      created.tasks.forEach((task) => publish("create", task));
      return created.task;
    },

    /**
     * Changes only the fields given; {@link updateWithin} says what else changes. Throws {@link NotFoundError},
     * {@link InvalidInputError} if the task is deleted, `projectId` is not an active project or `parentId` not a task that can have it
     * as a subtask, PreconditionFailedError if `expectedVersion` does not match, ConflictError if a program ends the claim of somebody
     * else, and what the check of an undone change throws.
     */
    async update(
      input: UpdateTask,
      author: Author,
      { undone, alongside }: { readonly undone?: UndoneChange; readonly alongside?: Alongside | undefined } = {},
    ): Promise<Task> {
      const context = { author, now: clock.now(), timeZone, ids, undone };
      const notes = await namedIn(input.description);
      return change(input.id, async () => input, context, { notes, alongside });
    },

    /**
     * Moves a repeating task to its next date, without doing it now. Throws {@link NotFoundError}, {@link InvalidInputError} if
     * it is deleted, done or does not repeat, or if this was the last date, and PreconditionFailedError.
     */
    async skip(input: TaskById, author: Author): Promise<Task> {
      const context = { author, now: clock.now(), timeZone, ids };
      return change(input.id, (client) => skipOf(client, input, context), context);
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

interface ChangeParts {
  /** The notes that the description names, if it is changed. */
  readonly notes?: readonly NamedNote[];
  readonly alongside?: Alongside | undefined;
}

/** Changes a task in a transaction, and publishes the change with all that it has led to. */
function createChanger(db: Db, publish: ReturnType<typeof publisherOf>) {
  return async (
    id: string,
    updateOf: (client: PoolClient) => Promise<UpdateTask>,
    context: UpdateContext,
    { notes = [], alongside }: ChangeParts = {},
  ): Promise<Task> => {
    const { task, changed, created, removed } = await transaction(db.pool, async (client) => {
      const update = await updateOf(client);
      const updated = await updateWithin(client, update, context);
      if (update.description !== undefined) await replaceNamedNotes(client, id, notes);
      const shown = requireTask(await selectTask(client, id));
      await alongside?.(client, shown);
      return { ...updated, task: shown };
    });
    changed.forEach((other) => publish("edit", other));
    created.forEach((other) => publish("create", other));
    removed.forEach((other) => publish("delete", other));
    return task;
  };
}

function publisherOf(events: TaskServiceDeps["events"]) {
  return (action: "create" | "edit" | "delete" | "restore", task: { id: string; title: string }) =>
    events.publish({ resource: "task", action, resourceId: task.id, resourceName: task.title });
}

async function skipOf(client: PoolClient, input: TaskById, at: UpdateContext): Promise<UpdateTask> {
  const current = isUuid(input.id) ? await selectTaskForUpdate(client, input.id) : null;
  return current === null || current.deletedAt !== null ? input : { ...input, ...skippedTo(current, at) };
}

function requireTask(task: Task | null): Task {
  if (task === null) throw noSuchTask();
  return task;
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}
