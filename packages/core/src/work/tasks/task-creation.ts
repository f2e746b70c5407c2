import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
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
import { insertTask, type TaskValues } from "./task.queries.ts";
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

/**
 * Stores a new task; one that is done already and repeats is followed by the next. Throws InvalidInputError if the project, the parent
 * or the rule is not possible.
 */
export async function createTask(
  { db, ids, timeZone }: TaskCreationDeps,
  fields: NewTask,
  { notes, alongside, ...creation }: CreationAlongside,
): Promise<{ task: Task; created: readonly ChangedTask[] }> {
  const before = defaultTask(ids());
  const at = { now: creation.createdAt, timeZone };
  const assignee = await knownParty(db.pool, fields.assignee);
  const values = applyPatch(before, { ...fields, assignee }, at);
  if (values.projectId !== null && !isUuid(values.projectId)) throw noSuchProject();
  const { parentId } = values;
  const isRepeated = values.status === "done" && values.repeat !== null;
  const isAlone = !isRepeated && notes.length === 0 && alongside === undefined;
  if (parentId === null && isAlone)
    return { task: required(await insertTask(db.pool, { ...values, ...creation })), created: [] };
  return transaction(db.pool, async (client) => {
    const placed = parentId === null ? values : await placedBelow(client, { ...values, parentId }, fields);
    const task = required(await insertTask(client, { ...placed, ...creation }));
    await replaceNamedNotes(client, task.id, notes);
    await alongside?.(client, task);
    if (!isRepeated) return { task, created: [] };
    const { nextId, created } = await repeatTask(client, {
      before,
      after: placed,
      author: creation.author,
      ids,
      ...at,
    });
    return { task: { ...task, nextId }, created };
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
