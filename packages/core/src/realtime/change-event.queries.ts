import type { Pool } from "@workspace/db";
import type { Change } from "../platform/events.ts";

/** A change as all processes and clients know it. */
export interface ChangeEvent extends Change {
  /** One order for all processes: when an event can be read, so can every one before it. */
  readonly seq: number;
  readonly timestamp: string;
}

/** A change that has happened here and is not in the log yet. */
export interface NewChange extends Change {
  readonly happenedAt: Date;
}

/** Where changes may be missing. */
export interface Gap {
  readonly resource: typeof GAP;
  readonly seq: number;
}

export type LogEntry = ChangeEvent | Gap;

const GAP = "gap";
/** Where every process hears that the log has grown. */
export const LOG_CHANNEL = "workspace_changes";

/**
 * A statement that adds rows and tells every process. It holds the log until its end, so that sequence numbers become visible
 * in their order and a reader who has seen one has missed none before it.
 */
const appending = (insert: string): string => `
  WITH log AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtext('workspace:change-log'))),
  added AS (${insert})
  SELECT pg_notify('${LOG_CHANNEL}', '')`;

const COLUMNS = `seq, resource, action, resource_id AS "resourceId", resource_name AS "resourceName", created_at AS timestamp`;

/** Adds changes to the log. */
export async function insertChanges(pool: Pool, changes: readonly NewChange[]): Promise<void> {
  await pool.query({
    name: "insert-changes",
    text: appending(`
      INSERT INTO change_events (resource, action, resource_id, resource_name, created_at)
      SELECT change.* FROM log,
        unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
        AS change (resource, action, resource_id, resource_name, created_at)`),
    values: [
      changes.map((change) => change.resource),
      changes.map((change) => change.action),
      changes.map((change) => change.resourceId),
      changes.map((change) => change.resourceName),
      changes.map((change) => change.happenedAt),
    ],
  });
}

/** Says in the log that changes may be missing from it here. */
export async function insertGap(pool: Pool, happenedAt: Date): Promise<void> {
  await pool.query(
    appending(`INSERT INTO change_events (resource, action, resource_id, created_at)
      SELECT $1, '', '', $2::timestamptz FROM log`),
    [GAP, happenedAt],
  );
}

export function isGap(entry: LogEntry): entry is Gap {
  return entry.resource === GAP;
}

/** The entries after a sequence number, at most `limit`, in order. */
export async function selectChangesAfter(pool: Pool, seq: number, limit: number): Promise<LogEntry[]> {
  const { rows } = await pool.query<LogEntry>({
    name: "select-changes-after",
    text: `SELECT ${COLUMNS} FROM change_events WHERE seq > $1 ORDER BY seq LIMIT $2`,
    values: [seq, limit],
  });
  return rows;
}

/** The first and last sequence number that the log holds; zeros while it is empty. */
export async function selectLogEnds(pool: Pool): Promise<{ first: number; last: number }> {
  const { rows } = await pool.query<{ first: number | null; last: number | null }>(
    "SELECT min(seq) AS first, max(seq) AS last FROM change_events",
  );
  return { first: rows[0]?.first ?? 0, last: rows[0]?.last ?? 0 };
}

/** Forgets all but the newest events. */
export async function deleteOldChanges(pool: Pool, keep: number): Promise<void> {
  await pool.query("DELETE FROM change_events WHERE seq <= (SELECT max(seq) FROM change_events) - $1", [keep]);
}
