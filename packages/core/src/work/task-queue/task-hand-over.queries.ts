import { column, defineCommand, defineQuery, TaskStatus, type PoolClient, type RowOf } from "@workspace/db";
import { recordedIn, toChangeParameter } from "../tasks/task-change.queries.ts";
import type { NewTaskChange } from "../tasks/task-change.ts";
import type { Party } from "../tasks/task.schema.ts";

const HANDED_TASK = {
  id: column.uuid,
  title: column.text,
  status: column.oneOf(TaskStatus),
  assignee: column.json.as<Party>().nullable,
  handoverNote: column.text.nullable,
  deletedAt: column.timestamp.nullable,
  claimId: column.uuid.nullable,
  claimHolder: column.text.nullable,
  hasClaim: column.boolean.neverNull,
};
export type HandedTask = RowOf<typeof HANDED_TASK>;

const lockedTask = defineQuery({
  name: "lock-task-for-hand-over",
  row: HANDED_TASK,
  text: `
    SELECT id, title, status, assignee, handover_note AS "handoverNote", deleted_at AS "deletedAt", claim_id AS "claimId",
      claim_holder AS "claimHolder", claim_id IS NOT NULL AND claim_expires_at > now() AS "hasClaim"
    FROM tasks WHERE id = $1 FOR UPDATE`,
});

/** A task as it is before it is handed over, locked until the transaction ends; null if there is none. */
export function lockTaskForHandOver(client: PoolClient, id: string): Promise<HandedTask | null> {
  return lockedTask.first(client, [id]);
}

const handedOver = defineCommand({
  name: "hand-over-task",
  text: `
    WITH handed AS (
      UPDATE tasks SET assignee = $2::jsonb, status = $3::task_status, handover_note = $4, claim_id = NULL, claim_holder = NULL,
        claim_session_id = NULL, claimed_at = NULL, claim_expires_at = NULL, modified_at = $5, version = version + 1
      WHERE id = $1 RETURNING id
    ),
    ${recordedIn({ parameter: "$6", changed: "handed" })}
    SELECT FROM handed`,
});

/** Writes whom a task is meant for, with its status and the note, and ends its claim. */
export async function handOverTask(
  client: PoolClient,
  task: Pick<HandedTask, "id" | "status" | "assignee" | "handoverNote"> & { modifiedAt: Date; change: NewTaskChange },
): Promise<void> {
  const { id, status, assignee, handoverNote, modifiedAt, change } = task;
  const party = assignee === null ? null : JSON.stringify(assignee);
  await handedOver.run(client, [id, party, status, handoverNote, modifiedAt, toChangeParameter(change)]);
}
