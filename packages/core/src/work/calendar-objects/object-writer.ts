import { isUniqueViolation, type Db, type Pool, type PoolClient } from "@workspace/db";
import { ConflictError, InvalidInputError, NotFoundError, PreconditionFailedError } from "../../platform/errors.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { toInvalidInput } from "../../platform/procedures/public-error.ts";
import { CalendarError } from "../icalendar/calendar-error.ts";
import { currentObject } from "../icalendar/current-todo.ts";
import { fieldsOfTask, fieldsOfTodo, type TodoFields } from "../icalendar/todo-fields.ts";
import { readTodoObject, type TodoObject } from "../icalendar/todo-object.ts";
import { createTaskInput, updateTaskInput, type Task } from "../tasks/task.schema.ts";
import type { Alongside, TaskService } from "../tasks/task.service.ts";
import {
  isNameTaken,
  putCalendarObject,
  selectObjectOfTask,
  selectObjects,
  selectOrphans,
  selectUidOwner,
  type StoredObject,
  type UidOwner,
} from "./calendar-object.queries.ts";
import { idOfName, idOfUid } from "./object-name.ts";
import { patchOf, toNewTask } from "./todo-patch.ts";

/** How often a change is tried again that others were faster than. */
const MAX_TRIES = 3;

/** Something else has written the task while it was read here. */
class OvertakenError extends PreconditionFailedError {
  constructor() {
    super("It has been changed since it was read. Nothing was changed.");
  }
}

/** Or the same task has just been stored by somebody else, which another look shows. */
class NameTakenError extends ConflictError {
  constructor() {
    super("A task in another collection has this name.");
  }
}

/** Where an object is, and what must hold for it to be written or deleted. */
export interface ObjectConditions {
  readonly collectionId: string | null;
  readonly name: string;
  /** Whether an object with this tag may be replaced; undefined for any, and for none. */
  readonly accepts?: (tag: string) => boolean;
}

export interface PutObject extends ObjectConditions {
  readonly text: string;
  /** Whether there must be no such object yet. */
  readonly createOnly: boolean;
}

export interface PutResult {
  readonly isNew: boolean;
  /** Null if a program that asks for the object would get another text than it has sent. */
  readonly tag: string | null;
}

/** What is to be stored of an object, and the task of its parent. */
interface Draft {
  readonly object: PutObject;
  readonly read: TodoObject;
  readonly fields: TodoFields;
  readonly parentId: string | null;
}

interface ObjectWriterDeps {
  readonly db: Db;
  readonly tasks: Pick<TaskService, "create" | "update" | "delete" | "restore">;
}

/** Writes and deletes tasks as calendar objects. */
export function createObjectWriter({ db, tasks }: ObjectWriterDeps) {
  async function createTask(draft: Draft, author: Author): Promise<string> {
    const { parentId, fields, object } = draft;
    const parsed = createTaskInput.safeParse({ ...toNewTask(fields), projectId: object.collectionId, parentId });
    if (!parsed.success) throw toInvalidInput(parsed.error);
    const task = await tasks.create(parsed.data, author, (client, created) => storeObject(client, created, draft, 0));
    await adoptOrphans({ db, tasks }, { uid: draft.read.uid, id: task.id }, author);
    return task.id;
  }

  async function updateTask(
    draft: Draft,
    current: Pick<StoredObject, "id" | "version" | "revision" | "parentId"> & { readonly shown: TodoFields },
    { author, projectId }: { author: Author; projectId?: string | null },
  ): Promise<void> {
    const { id, version, revision, parentId, shown } = current;
    const isParentMeant = shown.parentUid !== draft.fields.parentUid || parentId === null;
    const parsed = updateTaskInput.safeParse({
      ...patchOf(shown, draft.fields),
      ...(isParentMeant && draft.parentId !== parentId && { parentId: draft.parentId }),
      ...(projectId !== undefined && { projectId }),
      id,
      expectedVersion: String(version),
    });
    if (!parsed.success) throw toInvalidInput(parsed.error);
    const alongside: Alongside = (client, task) => storeObject(client, task, draft, revision);
    await tasks.update(parsed.data, author, { alongside }).catch((error: unknown) => {
      throw error instanceof PreconditionFailedError ? new OvertakenError() : error;
    });
  }

  /** A task that another program has called by this UID: deleted, or in another collection, from which it is moved. */
  async function takeOver(draft: Draft, owner: UidOwner, author: Author): Promise<void> {
    const { collectionId, name } = draft.object;
    if (owner.isDeleted) await tasks.restore({ id: owner.id, expectedVersion: String(owner.version) }, author);
    else if (owner.collectionId === collectionId && owner.name === name) throw new OvertakenError();
    else if (owner.collectionId === collectionId)
      throw new CalendarError("no-uid-conflict", `The task ${owner.name} has this UID.`);
    const stored = await selectObjectOfTask(db.pool, owner.id);
    const moves = owner.collectionId !== collectionId;
    await updateTask(
      draft,
      { ...stored, shown: fieldsOfTask(stored) },
      { author, ...(moves && { projectId: collectionId }) },
    );
  }

  async function putOnce(object: PutObject, read: TodoObject, author: Author): Promise<PutResult> {
    const fields = fieldsOfTodo(read.todo);
    const stored = await findObject(db.pool, object);
    if (stored === null ? object.accepts !== undefined : object.createOnly || object.accepts?.(stored.tag) === false)
      throw new PreconditionFailedError("It is not what the condition says. Nothing was changed.");
    if (stored !== null && stored.uid !== read.uid)
      throw new CalendarError("no-uid-conflict", "A task keeps its UID. Send another one to a URL of its own.");
    const draft = { object, read, fields, parentId: await parentIdOf(db.pool, fields) };
    if (stored !== null) {
      await updateTask(draft, { ...stored, shown: fieldsOfTask(stored) }, { author });
      return { isNew: false, tag: await tagIfSame(db.pool, stored.id, object.text) };
    }
    const owner = await selectUidOwner(db.pool, { uid: read.uid, id: idOfUid(read.uid) });
    const id = owner?.id ?? (await createTask(draft, author));
    if (owner !== null) await takeOver(draft, owner, author);
    return { isNew: true, tag: await tagIfSame(db.pool, id, object.text) };
  }

  return {
    /**
     * Writes an object. What differs from what the program was shown is changed in the task, and the whole is kept to be given back. A UID
     * that is known stands for the same task: one that is deleted is restored, one in another collection is moved. Throws
     * {@link CalendarError}, InvalidInputError, {@link PreconditionFailedError} and {@link ConflictError}, with nothing changed.
     */
    async put(object: PutObject, author: Author): Promise<PutResult> {
      const read = readTodoObject(object.text);
      for (let tries = 1; ; tries += 1) {
        try {
          return await putOnce(object, read, author);
        } catch (error) {
          // The next try sees what the other one has written, and whether the conditions still hold.
          const isOvertaken =
            error instanceof OvertakenError || error instanceof NameTakenError || isUniqueViolation(error);
          if (!isOvertaken || tries === MAX_TRIES) throw isUniqueViolation(error) ? new OvertakenError() : error;
        }
      }
    },

    async delete(object: ObjectConditions, author: Author): Promise<void> {
      const stored = await findObject(db.pool, object);
      if (stored === null) throw new NotFoundError("There is no such task.");
      if (object.accepts?.(stored.tag) === false)
        throw new PreconditionFailedError("It has been changed since it was read. Nothing was changed.");
      const expected = object.accepts === undefined ? {} : { expectedVersion: String(stored.version) };
      await tasks.delete({ id: stored.id, ...expected }, author);
    },
  };
}

async function findObject(pool: Pool, { collectionId, name }: ObjectConditions): Promise<StoredObject | null> {
  const id = idOfName(name);
  const [found] = await selectObjects(pool, collectionId, { names: [name], ids: id === null ? [] : [id] });
  return found ?? null;
}

/** The author, time and history are those of any change of a task, and the object is stored in the same transaction. */
async function storeObject(
  client: PoolClient,
  task: Task,
  { object, read, fields, parentId }: Draft,
  revision: number,
) {
  const { name, text } = object;
  if (await isNameTaken(client, { name, taskId: task.id, id: idOfName(name) })) throw new NameTakenError();
  const parentUid = parentId === null ? fields.parentUid : null;
  const written = { taskId: task.id, uid: read.uid, name, text, parentUid };
  if (!(await putCalendarObject(client, written, revision))) throw new OvertakenError();
}

/** Subtasks that were written before their parent. */
async function adoptOrphans(
  { db, tasks }: ObjectWriterDeps,
  { uid, id: parentId }: { uid: string; id: string },
  author: Author,
): Promise<void> {
  for (const id of await selectOrphans(db.pool, uid)) {
    await tasks.update({ id, parentId }, author).catch((error: unknown) => {
      // It stays what it is if it has been changed, or cannot be a subtask of that one.
      if (!(error instanceof NotFoundError || error instanceof ConflictError || error instanceof InvalidInputError))
        throw error;
    });
  }
}

async function parentIdOf(pool: Pool, { parentUid }: TodoFields): Promise<string | null> {
  if (parentUid === null) return null;
  const parent = await selectUidOwner(pool, { uid: parentUid, id: idOfUid(parentUid) });
  return parent === null || parent.isDeleted ? null : parent.id;
}

async function tagIfSame(pool: Pool, id: string, text: string): Promise<string | null> {
  const stored = await selectObjectOfTask(pool, id);
  return currentObject(stored, stored.written).text === text ? stored.tag : null;
}
