import { isUniqueViolation, transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { isActiveProject } from "../projects/project.queries.ts";
import { lockTaskDependencies } from "./task-dependencies.queries.ts";
import { replaceNamedNotes, type NamedNote } from "./named-notes.queries.ts";
import { knownParty } from "./task-party.ts";
import { repeatTask } from "./task-repetition.ts";
import { requireParent } from "./task-tree.ts";
import type { ChangedTask } from "./task-update.ts";
import { noSuchProject } from "./task-update.ts";
import { applyPatch, defaultTask } from "./task-values.ts";
import { insertTask, selectTask, type TaskValues } from "./task.queries.ts";
import type { NewTask, Task } from "./task.schema.ts";

export interface TaskCreationDeps extends Deps<"db" | "ids"> {
  /** The server's. */
  readonly timeZone: string;
}

interface Creation {
  readonly author: Author;
  readonly createdAt: Date;
  /** Those that the description names. */
  readonly notes: readonly NamedNote[];
}

interface CreationAlongside extends Creation {
  /** Writes what belongs to the task, in the transaction that stores it. */
  readonly alongside?: ((client: PoolClient, task: Task) => Promise<void>) | undefined;
}

/** A task, and those that were stored with it: itself and what follows it, or none if it was there already. */
interface CreatedTask {
  readonly task: Task;
  readonly tasks: readonly ChangedTask[];
}

/**
 * Stores a new task, only once for each id that the caller chooses; one that is done already and repeats is followed by the next. Throws
 * InvalidInputError if the project, the parent or the rule is not possible, and ConflictError if somebody else's task has the id.
 */
export async function createTask(
  deps: TaskCreationDeps,
  { id, ...fields }: NewTask & { readonly id: string | undefined },
  creation: CreationAlongside,
): Promise<CreatedTask> {
  if (id === undefined) return storeTask(deps, { ...fields, id: deps.ids() }, creation);
  const known = await findCreated(deps, id, creation);
  if (known !== null) return known;
  try {
    return await storeTask(deps, { ...fields, id }, creation);
  } catch (error) {
    // Another request with the same id may have come first.
    const stored = isUniqueViolation(error) ? await findCreated(deps, id, creation) : null;
    if (stored === null) throw error;
    return stored;
  }
}

/** The task that the same person has created with an id before; null if there is none. */
async function findCreated({ db }: TaskCreationDeps, id: string, { author }: Creation): Promise<CreatedTask | null> {
  const task = await selectTask(db.pool, id);
  if (task === null) return null;
  if (task.creator.id !== author.userId) throw new ConflictError("There is another task with this id.");
  return { task, tasks: [] };
}

async function storeTask(
  { db, ids, timeZone }: TaskCreationDeps,
  { id, ...fields }: NewTask & { readonly id: string },
  { notes, alongside, ...creation }: CreationAlongside,
): Promise<CreatedTask> {
  const before = defaultTask(id);
  const at = { now: creation.createdAt, timeZone };
  const assignee = await knownParty(db.pool, fields.assignee);
  const values = applyPatch(before, { ...fields, assignee }, at);
  if (values.projectId !== null && !isUuid(values.projectId)) throw noSuchProject();
  const { parentId } = values;
  const isRepeated = values.status === "done" && values.repeat !== null;
  const isAlone = !isRepeated && notes.length === 0 && alongside === undefined;
  if (parentId === null && isAlone) {
    const task = required(await insertTask(db.pool, { ...values, ...creation }));
    return { task, tasks: [task] };
  }
  return transaction(db.pool, async (client) => {
    const placed = parentId === null ? values : await placedBelow(client, { ...values, parentId }, fields);
    const task = required(await insertTask(client, { ...placed, ...creation }));
    await replaceNamedNotes(client, task.id, notes);
    await alongside?.(client, task);
    if (!isRepeated) return { task, tasks: [task] };
    const { nextId, created } = await repeatTask(client, {
      before,
      after: placed,
      author: creation.author,
      ids,
      ...at,
    });
    return { task: { ...task, nextId }, tasks: [task, ...created] };
  });
}

/** In the project of its parent, unless one was given. */
async function placedBelow(
  client: PoolClient,
  values: TaskValues & { readonly parentId: string },
  given: Pick<NewTask, "projectId">,
): Promise<TaskValues> {
  await lockTaskDependencies(client);
  const { projectId } = await requireParent(client, values);
  const inherits = given.projectId === undefined && projectId !== null && (await isActiveProject(client, projectId));
  return inherits ? { ...values, projectId } : values;
}

function required(task: Task | null): Task {
  if (task === null) throw noSuchProject();
  return task;
}
