import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import type { ApprovalOutcome } from "../tools/tool-guard.ts";

const newApproval = defineCommand({
  name: "insert-approval",
  text: `
    UPDATE conversations SET approval_id = $2, approval_outcome = NULL
    WHERE id = $1 AND process_id = $3 AND status = 'streaming'`,
});

/** Records that a process's answer is waiting for a decision. Returns false if the answer no longer belongs to it. */
export async function insertApproval(
  db: Queryable,
  { conversationId, approvalId, processId }: { conversationId: string; approvalId: string; processId: string },
): Promise<boolean> {
  return (await newApproval.run(db, [conversationId, approvalId, processId])) === 1;
}

const decision = defineCommand({
  name: "decide-approval",
  text: `
    UPDATE conversations SET approval_outcome = $3
    WHERE id = $1 AND approval_id = $2 AND approval_outcome IS NULL
      AND status = 'streaming' AND interrupt_requested_at IS NULL`,
});

/** Decides at most once. Returns false if it was already decided, is no longer waiting, or does not exist. */
export async function decideApproval(
  db: Queryable,
  { conversationId, approvalId, outcome }: { conversationId: string; approvalId: string; outcome: ApprovalOutcome },
): Promise<boolean> {
  return (await decision.run(db, [conversationId, approvalId, outcome])) === 1;
}

const approvalOutcome = defineQuery({
  name: "select-approval-outcome",
  row: { outcome: column.text.as<ApprovalOutcome>().nullable },
  text: `
    SELECT approval_outcome AS outcome FROM conversations
    WHERE id = $1 AND approval_id = $2 AND process_id = $3
      AND status = 'streaming' AND interrupt_requested_at IS NULL`,
});

/**
 * The decision; null if there is none yet. It is `stopped` once the answer is to be stopped or no longer belongs to the
 * process, whatever was decided.
 */
export async function selectApprovalOutcome(
  db: Queryable,
  { conversationId, approvalId, processId }: { conversationId: string; approvalId: string; processId: string },
): Promise<ApprovalOutcome | null> {
  const row = await approvalOutcome.first(db, [conversationId, approvalId, processId]);
  return row === null ? "stopped" : row.outcome;
}
