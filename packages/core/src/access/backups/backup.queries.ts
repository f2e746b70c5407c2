import { BackupRunKind, BackupRunStatus, column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { BackupOutcome } from "./backup-engine.ts";
import type { BackupRun } from "./backup.schema.ts";

const RUN = {
  id: column.uuid,
  kind: column.oneOf(BackupRunKind),
  status: column.oneOf(BackupRunStatus),
  isScheduled: column.boolean,
  backupId: column.text.nullable,
  message: column.text.nullable,
  rows: column.safeInteger.nullable,
  files: column.integer.nullable,
  vaultBytes: column.safeInteger.nullable,
  storedBytes: column.safeInteger.nullable,
  startedAt: column.timestamp,
  completedAt: column.timestamp.nullable,
};
const COLUMNS = `id, kind, status, is_scheduled AS "isScheduled", backup_id AS "backupId", message, rows, files,
  vault_bytes AS "vaultBytes", stored_bytes AS "storedBytes", started_at AS "startedAt", completed_at AS "completedAt"`;

/** What was begun later than now was begun while a clock was ahead: it counts for nothing. Those of several processes may differ. */
const isOfPast = (now: string) => `started_at <= ${now}::timestamptz + interval '1 hour'`;

const newRun = defineQuery({
  name: "insert-backup-run",
  row: RUN,
  text: `
    INSERT INTO backup_runs (id, kind, is_scheduled, process_id, backup_id, started_at)
    SELECT $1, $2, $3, $4, $5, $6
    WHERE $7::timestamptz IS NULL OR NOT EXISTS (
      SELECT FROM backup_runs WHERE kind = $2 AND started_at > $7 AND ${isOfPast("$6")}
    )
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
});

export interface NewBackupRun {
  readonly id: string;
  readonly kind: BackupRun["kind"];
  readonly isScheduled: boolean;
  readonly processId: string;
  readonly backupId: string | null;
  readonly startedAt: Date;
  /** Only if nothing of this kind was begun since then; null in any case. */
  readonly unlessSince: Date | null;
}

/** Begins work, unless there is some already, in whichever process; then it returns null. */
export function insertBackupRun(db: Queryable, run: NewBackupRun): Promise<BackupRun | null> {
  const { id, kind, isScheduled, processId, backupId, startedAt, unlessSince } = run;
  return newRun.first(db, [id, kind, isScheduled, processId, backupId, startedAt, unlessSince]);
}

const finishedRun = defineCommand({
  name: "finish-backup-run",
  text: `
    UPDATE backup_runs SET status = $2, completed_at = $3, message = $4, backup_id = COALESCE($5, backup_id), rows = $6,
      files = $7, vault_bytes = $8, stored_bytes = $9
    WHERE id = $1 AND status = 'running'`,
});

/** Records the end of work, unless others have ended it. */
export async function finishBackupRun(
  db: Queryable,
  { id, status, now }: { readonly id: string; readonly status: BackupRun["status"]; readonly now: Date },
  outcome: Partial<BackupOutcome>,
): Promise<void> {
  const { message, backupId, rows, files, vaultBytes, storedBytes } = outcome;
  await finishedRun.run(db, [id, status, now, message, backupId, rows, files, vaultBytes, storedBytes]);
}

const abandonedRuns = defineCommand({
  name: "cancel-abandoned-backup-runs",
  text: `
    UPDATE backup_runs r SET status = 'cancelled', completed_at = $1, message = $2
    WHERE status = 'running' AND CASE WHEN process_id = $3 THEN id IS DISTINCT FROM $4
      ELSE NOT EXISTS (SELECT FROM server_processes p WHERE p.id = r.process_id) END`,
});

/** Ends the work of processes that are no longer registered, and what this one does not do any more. */
export async function cancelAbandonedBackupRuns(
  db: Queryable,
  own: { readonly processId: string; readonly activeId: string | null; readonly now: Date; readonly message: string },
): Promise<void> {
  await abandonedRuns.run(db, [own.now, own.message, own.processId, own.activeId]);
}

const foundDamage = defineCommand({
  name: "insert-found-damage",
  text: `
    INSERT INTO backup_runs (id, kind, status, is_scheduled, process_id, backup_id, message, started_at, completed_at)
    VALUES ($1, 'verify', 'failed', false, $2, $3, $4, $5, $5)`,
});

/** Records a check that has failed already, because a backup has found that others are damaged. */
export async function insertFoundDamage(
  db: Queryable,
  found: Pick<NewBackupRun, "id" | "processId" | "backupId"> & { readonly message: string; readonly now: Date },
): Promise<void> {
  await foundDamage.run(db, [found.id, found.processId, found.backupId, found.message, found.now]);
}

const latestRuns = defineQuery({
  name: "select-latest-backup-runs",
  row: RUN,
  text: `
    SELECT ${COLUMNS} FROM unnest(enum_range(NULL::backup_run_kind)) AS k (of_kind),
      unnest(enum_range(NULL::backup_run_status)) AS s (of_status),
      LATERAL (
        SELECT * FROM backup_runs
        WHERE kind = k.of_kind AND status = s.of_status AND (status = 'running' OR ${isOfPast("$1")})
        ORDER BY started_at DESC LIMIT 1
      ) AS latest`,
});

/** The latest of each kind and status. */
export function selectLatestBackupRuns(db: Queryable, now: Date): Promise<BackupRun[]> {
  return latestRuns.all(db, [now]);
}

const runs = defineQuery({
  name: "select-backup-runs",
  row: RUN,
  text: `
    SELECT ${COLUMNS} FROM backup_runs
    WHERE $2::uuid IS NULL OR (started_at, id) < ($1::timestamptz, $2)
    ORDER BY started_at DESC, id DESC LIMIT $3`,
});

/** Newest first. */
export function selectBackupRuns(db: Queryable, { limit, after }: PageRange<TimeAndId>): Promise<BackupRun[]> {
  return runs.all(db, [after?.[0], after?.[1], limit]);
}

const oldRuns = defineCommand({
  name: "delete-old-backup-runs",
  text: "DELETE FROM backup_runs WHERE started_at < $1",
});

export async function deleteBackupRunsBefore(db: Queryable, time: Date): Promise<void> {
  await oldRuns.run(db, [time]);
}
