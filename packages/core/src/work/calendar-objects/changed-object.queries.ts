import { column, defineQuery, type Pool, type RowOf } from "@workspace/db";

/*
 * What has changed since a client last asked is found by the transactions that wrote the rows: PostgreSQL notes them in each row, and a
 * snapshot says from which one on it may not have seen everything. Clocks could not: a change may be committed later than one
 * that was made after it.
 */

const position = defineQuery({
  name: "select-sync-position",
  row: { database: column.text.neverNull, transaction: column.text.neverNull },
  text: `
    SELECT (SELECT system_identifier FROM pg_control_system())::text AS database,
      pg_snapshot_xmin(pg_current_snapshot())::text AS transaction`,
});

/** A position among all changes: of which database, and its first transaction that may not have been seen. */
export interface SyncPosition {
  readonly database: string;
  readonly transaction: bigint;
}

/** The present. What is read afterwards contains all that was changed before it. */
export async function selectSyncPosition(pool: Pool): Promise<SyncPosition> {
  const { database, transaction } = await position.one(pool, []);
  return { database, transaction: BigInt(transaction) };
}

/** Numbers of transactions in rows have 32 bits and start over; the nearer direction is the right one. */
const isSince = (row: string) => `(((${row}.xmin::text::bigint - $2::bigint) & 4294967295) < 2147483648)`;
const IS_CHANGED = `(${isSince("t")} OR (o.task_id IS NOT NULL AND ${isSince("o")}) OR (p.id IS NOT NULL AND ${isSince("p")}))`;
const JOINS = `LEFT JOIN projects p ON p.id = t.project_id LEFT JOIN task_calendar_objects o ON o.task_id = t.id`;

const CHANGED = {
  id: column.uuid,
  name: column.text.neverNull,
  tag: column.text.neverNull,
  modifiedAt: column.timestamp,
  isRemoved: column.boolean.neverNull,
};

const changes = defineQuery({
  name: "select-changed-calendar-objects",
  row: CHANGED,
  text: `
    SELECT id, name, tag, modified_at AS "modifiedAt", NOT is_member AS "isRemoved" FROM (
      SELECT COALESCE(o.name, t.id || '.ics') AS name, t.version || '-' || COALESCE(o.revision, 0) AS tag, t.modified_at, t.id,
        t.deleted_at IS NULL AND (CASE WHEN p.deleted_at IS NULL THEN t.project_id END) IS NOT DISTINCT FROM $1 AS is_member,
        t.project_id IS NOT DISTINCT FROM $1 OR (p.id IS NOT NULL AND ${isSince("p")}) OR EXISTS (
          SELECT FROM task_changes h WHERE h.task_id = t.id
            AND h.changes @> jsonb_build_array(jsonb_build_object('field', 'projectId', 'before', $1::text))
        ) AS may_have_been
      FROM tasks t ${JOINS} WHERE ($3::uuid IS NULL OR t.id > $3) AND ${IS_CHANGED}
    ) AS changed
    WHERE is_member OR may_have_been ORDER BY id LIMIT $4`,
});

const members = defineQuery({
  name: "select-calendar-objects-after",
  row: CHANGED,
  text: `
    SELECT t.id, COALESCE(o.name, t.id || '.ics') AS name, t.version || '-' || COALESCE(o.revision, 0) AS tag,
      t.modified_at AS "modifiedAt", false AS "isRemoved"
    FROM tasks t ${JOINS}
    WHERE t.deleted_at IS NULL AND (CASE WHEN p.deleted_at IS NULL THEN t.project_id END) IS NOT DISTINCT FROM $1
      AND ($2::uuid IS NULL OR t.id > $2)
    ORDER BY t.id LIMIT $3`,
});

export interface ChangesSince {
  /** Null for everything that there is. */
  readonly transaction: bigint | null;
  /** The task after which to go on; null for the beginning. */
  readonly after: string | null;
  readonly limit: number;
}

/** What has been changed in a collection since then, and what is not in it any more, in the order of the tasks' ids. */
export function selectChangedObjects(
  pool: Pool,
  collectionId: string | null,
  { transaction, after, limit }: ChangesSince,
): Promise<RowOf<typeof CHANGED>[]> {
  if (transaction === null) return members.all(pool, [collectionId, after, limit]);
  return changes.all(pool, [collectionId, (transaction & 0xffff_ffffn).toString(), after, limit]);
}
