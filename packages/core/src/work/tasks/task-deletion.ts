import { transaction, type Db, type PoolClient } from "@workspace/db";
import { assertVersion, parseExpectedVersions } from "../../platform/entity-version.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid, type IdGenerator } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { ChangeMark } from "./task-change.ts";
import { selectSubtasks } from "./task-tree.queries.ts";
import { setTaskDeletedAt, setTasksDeletedAt } from "./task-deletion.queries.ts";
import type { DeletedTask, TaskById } from "./task.schema.ts";

export interface Deletion {
  /** Null to restore the task. */
  readonly deletedAt: Date | null;
  readonly now: Date;
  readonly author: Author;
  readonly ids: IdGenerator;
  readonly undoesId: string | undefined;
}

export interface DeletionResult {
  readonly task: DeletedTask;
  /** What was deleted or restored, the task first; nothing if it already was. */
  readonly changed: readonly Pick<DeletedTask, "id" | "title">[];
}

/**
 * Deletes a task with its subtasks, or restores it with those that were deleted with it. Throws {@link NotFoundError}, and
 * PreconditionFailedError if `expectedVersion` does not match.
 */
export async function changeDeletion(db: Db, input: TaskById, deletion: Deletion): Promise<DeletionResult> {
  const versions = parseExpectedVersions(input.expectedVersion);
  const { deletedAt, now, author, ids, undoesId } = deletion;
  const mark: ChangeMark = { id: ids(), author, createdAt: now, ...(undoesId !== undefined && { undoesId }) };
  return transaction(db.pool, async (client) => {
    const result = isUuid(input.id)
      ? await setTaskDeletedAt(client, { id: input.id, deletedAt, versions, mark })
      : null;
    if (result === null) throw new NotFoundError("There is no such task.");
    const { hasChanged, version, deletedBefore, ...task } = result;
    assertVersion(versions, version);
    if (!hasChanged) return { task, changed: [] };
    const followers = await changeSubtasks(client, task.id, deletedBefore, deletion, mark.id);
    return { task, changed: [task, ...followers] };
  });
}

async function changeSubtasks(
  client: PoolClient,
  id: string,
  deletedBefore: string | null,
  { deletedAt, now, author, ids }: Deletion,
  causeId: string,
): Promise<Pick<DeletedTask, "id" | "title">[]> {
  const followers = (await selectSubtasks(client, id)).filter((subtask) => subtask.deletedAt === deletedBefore);
  const marks = followers.map((follower) => ({ taskId: follower.id, id: ids(), author, createdAt: now, causeId }));
  if (marks.length > 0) await setTasksDeletedAt(client, deletedAt, marks);
  return followers;
}
