import { defineCommand, defineQuery, type PoolClient } from "@workspace/db";
import type { NewTaskChange } from "./task-change.ts";
import { recordedIn } from "./task-change.queries.ts";
import { OWN_COLUMNS, STORED_TASK, type StoredTask, type TaskValues } from "./task.queries.ts";

const lockedTasks = defineQuery({
  name: "select-tasks-for-update",
  row: STORED_TASK,
  text: `SELECT ${OWN_COLUMNS} FROM tasks t WHERE t.id = ANY($1::uuid[]) AND t.deleted_at IS NULL ORDER BY t.id FOR UPDATE`,
});

/** The own columns of those tasks that are not deleted, locked until the transaction ends. */
export function selectTasksForUpdate(db: PoolClient, ids: readonly string[]): Promise<StoredTask[]> {
  return lockedTasks.all(db, [ids]);
}

/** What a subtask takes over from its parent, and the record of it. */
export interface Following {
  readonly values: Pick<TaskValues, "id" | "status" | "projectId" | "completedAt">;
  readonly change: NewTaskChange | null;
}

const KEEPS_CLAIM = "given.status = 'in_progress'";

const following = defineCommand({
  name: "update-following-tasks",
  text: `
    WITH given AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS v (id uuid, status task_status, "projectId" uuid, "completedAt" timestamptz)
    ),
    updated AS (
      UPDATE tasks SET status = given.status, project_id = given."projectId", completed_at = given."completedAt",
        modified_at = $2, version = version + 1,
        claim_id = CASE WHEN ${KEEPS_CLAIM} THEN claim_id END,
        claim_holder = CASE WHEN ${KEEPS_CLAIM} THEN claim_holder END,
        claim_author = CASE WHEN ${KEEPS_CLAIM} THEN claim_author END,
        claim_session_id = CASE WHEN ${KEEPS_CLAIM} THEN claim_session_id END,
        claimed_at = CASE WHEN ${KEEPS_CLAIM} THEN claimed_at END,
        claim_expires_at = CASE WHEN ${KEEPS_CLAIM} THEN claim_expires_at END
      FROM given WHERE tasks.id = given.id RETURNING tasks.id
    ),
    ${recordedIn({ parameter: "$3", changed: "updated" })}
    SELECT`,
});

/** Writes what subtasks take over from their parent, all in one statement. A claim ends when its task is not in progress any more. */
export async function updateFollowingTasks(
  db: PoolClient,
  tasks: readonly Following[],
  modifiedAt: Date,
): Promise<void> {
  const values = tasks.map(({ values: { id, status, projectId, completedAt } }) => ({
    id,
    status,
    projectId,
    completedAt,
  }));
  const changes = tasks.flatMap(({ values: { id }, change }) => (change === null ? [] : [{ ...change, taskId: id }]));
  await following.run(db, [JSON.stringify(values), modifiedAt, JSON.stringify(changes)]);
}
