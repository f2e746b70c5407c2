import { column, defineCommand, defineQuery, type Pool, type Queryable, type RowOf } from "@workspace/db";

/** A part of a transcript from which memories are still to be extracted. */
export interface PendingWindowValues {
  readonly id: string;
  readonly windowHash: string;
  readonly sessionId: string | null;
  readonly projectPath: string | null;
  /** As base64. */
  readonly content: string;
}

const newWindows = defineCommand({
  name: "insert-pending-extractions",
  text: `
    INSERT INTO pending_extractions (id, window_hash, session_id, project_path, content, due_at, created_at)
    SELECT id, "windowHash", "sessionId", "projectPath", decode(content, 'base64'), $2, $2
    FROM jsonb_to_recordset($1) AS added(id uuid, "windowHash" text, "sessionId" text, "projectPath" text, content text)
    ORDER BY "windowHash"
    ON CONFLICT (window_hash) DO NOTHING`,
});

/** Adds windows that are not pending yet. */
export async function insertPendingExtractions(
  db: Queryable,
  windows: readonly PendingWindowValues[],
  now: Date,
): Promise<void> {
  await newWindows.run(db, [JSON.stringify(windows), now]);
}

const CLAIMED = {
  id: column.uuid,
  windowHash: column.text,
  sessionId: column.text.nullable,
  projectPath: column.text.nullable,
  content: column.bytes,
  attempts: column.integer,
};
export type PendingExtraction = Readonly<RowOf<typeof CLAIMED>>;

const claimedWindow = defineQuery({
  name: "claim-pending-extraction",
  row: CLAIMED,
  text: `
    UPDATE pending_extractions SET attempts = attempts + 1, due_at = $2
    WHERE id = (SELECT id FROM pending_extractions WHERE due_at <= $1 ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, window_hash AS "windowHash", session_id AS "sessionId", project_path AS "projectPath", content, attempts`,
});

/** The next window that is due, which no other process gets until the lease ends; null if there is none. */
export function claimPendingExtraction(pool: Pool, now: Date, leaseUntil: Date): Promise<PendingExtraction | null> {
  return claimedWindow.first(pool, [now, leaseUntil]);
}

const deferredWindow = defineCommand({
  name: "defer-pending-extraction",
  text: "UPDATE pending_extractions SET due_at = $2, last_error = $3 WHERE id = $1",
});

/** Leaves a window for later; `error` is why, if it failed. */
export async function deferPendingExtraction(
  db: Queryable,
  id: string,
  { dueAt, error }: { readonly dueAt: Date; readonly error: string | null },
): Promise<void> {
  await deferredWindow.run(db, [id, dueAt, error]);
}

const doneWindow = defineCommand({
  name: "delete-pending-extraction",
  text: "DELETE FROM pending_extractions WHERE id = $1",
});

export async function deletePendingExtraction(db: Queryable, id: string): Promise<void> {
  await doneWindow.run(db, [id]);
}

const oldWindows = defineCommand({
  name: "delete-old-pending-extractions",
  text: "DELETE FROM pending_extractions WHERE created_at < $1",
});

/** Gives up on windows that have been pending since before a time. */
export async function deletePendingExtractionsBefore(db: Queryable, before: Date): Promise<void> {
  await oldWindows.run(db, [before]);
}

const SUMMARY = { pending: column.safeInteger.neverNull, lastError: column.text.nullable };

const summary = defineQuery({
  name: "summarize-pending-extractions",
  row: SUMMARY,
  text: `
    SELECT count(*) AS pending,
           (SELECT last_error FROM pending_extractions WHERE last_error IS NOT NULL ORDER BY due_at DESC LIMIT 1) AS "lastError"
    FROM pending_extractions`,
});

export function summarizePendingExtractions(db: Queryable): Promise<Readonly<RowOf<typeof SUMMARY>>> {
  return summary.one(db, []);
}
