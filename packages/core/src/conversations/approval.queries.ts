import type { Pool, PoolClient } from "@workspace/db";
import type { ApprovalOutcome } from "../tools/tool-guard.ts";

type Queryable = Pool | PoolClient;

/** Notes that the answer of a process waits for a decision. False where the answer is not that process's any more. */
export async function insertApproval(
  db: Queryable,
  { conversationId, approvalId, processId }: { conversationId: string; approvalId: string; processId: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE conversations SET approval_id = $2, approval_outcome = NULL
     WHERE id = $1 AND process_id = $3 AND status = 'streaming'`,
    [conversationId, approvalId, processId],
  );
  return rowCount === 1;
}

/** Decides once: false where it was decided before, is not asked any more, or never was. */
export async function decideApproval(
  db: Queryable,
  { conversationId, approvalId, outcome }: { conversationId: string; approvalId: string; outcome: ApprovalOutcome },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE conversations SET approval_outcome = $3
     WHERE id = $1 AND approval_id = $2 AND approval_outcome IS NULL
       AND status = 'streaming' AND interrupt_requested_at IS NULL`,
    [conversationId, approvalId, outcome],
  );
  return rowCount === 1;
}

/**
 * What was decided; null where nothing is yet. A permission is worth nothing once the answer is to be stopped, or is no
 * longer the process's to give: then it is `stopped`.
 */
export async function selectApprovalOutcome(
  db: Queryable,
  { conversationId, approvalId, processId }: { conversationId: string; approvalId: string; processId: string },
): Promise<ApprovalOutcome | null> {
  const { rows } = await db.query<{ outcome: ApprovalOutcome | null }>(
    `SELECT approval_outcome AS outcome FROM conversations
     WHERE id = $1 AND approval_id = $2 AND process_id = $3
       AND status = 'streaming' AND interrupt_requested_at IS NULL`,
    [conversationId, approvalId, processId],
  );
  const [row] = rows;
  return row === undefined ? "stopped" : row.outcome;
}
