import { column, defineCommand, defineQuery, type Db, type Pool } from "@workspace/db";
import type { Change } from "../events.ts";
import type { ResourceKind } from "../resources.ts";

/** A change as it is in the log. */
export interface ChangeEvent extends Change {
  /** Ordered across all processes: once an event is visible, so is every event before it. */
  readonly seq: number;
  readonly timestamp: string;
}

/** A change made by this process that is not in the log yet. */
export interface NewChange extends Change {
  readonly happenedAt: Date;
}

/** A place in the log where changes may be missing. */
export interface Gap {
  readonly resource: typeof GAP;
  readonly seq: number;
}

export type LogEntry = ChangeEvent | Gap;

const GAP = "gap";
/** The channel that announces new entries to every process. */
export const LOG_CHANNEL = "workspace_changes";

/**
 * A statement that adds rows and notifies every process. It locks the log until the end of its transaction, so that sequence
 * numbers become visible in order, and a reader that has seen one has missed none before it.
 */
const appendStatement = (insert: string): string => `
  WITH log AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtext('workspace:change-log'))),
  added AS (${insert})
  SELECT pg_notify('${LOG_CHANNEL}', '')`;

const newChanges = defineCommand({
  name: "insert-changes",
  isPrepared: true,
  text: appendStatement(`
    INSERT INTO change_events (resource, action, resource_id, resource_name, created_at)
    SELECT change.* FROM log,
      unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
      AS change (resource, action, resource_id, resource_name, created_at)`),
});

/** Appends changes to the log. */
export async function insertChanges(pool: Pool, changes: readonly NewChange[]): Promise<void> {
  await newChanges.run(pool, [
    changes.map((change) => change.resource),
    changes.map((change) => change.action),
    changes.map((change) => change.resourceId),
    changes.map((change) => change.resourceName),
    changes.map((change) => change.happenedAt),
  ]);
}

/** Appends one change that a command has made, so that all servers announce it. */
export async function logChange({ pool }: Db, change: Change, happenedAt: Date): Promise<void> {
  await insertChanges(pool, [{ ...change, happenedAt }]);
}

const newGap = defineCommand({
  name: "insert-change-gap",
  text: appendStatement(`
    INSERT INTO change_events (resource, action, resource_id, created_at) SELECT $1, '', '', $2::timestamptz FROM log`),
});

/** Records in the log that changes may be missing at this point. */
export async function insertGap(pool: Pool, happenedAt: Date): Promise<void> {
  await newGap.run(pool, [GAP, happenedAt]);
}

export function isGap(entry: LogEntry): entry is Gap {
  return entry.resource === GAP;
}

const ENTRY = {
  seq: column.safeInteger,
  resource: column.text.as<LogEntry["resource"]>(),
  action: column.text.as<Change["action"]>(),
  resourceId: column.text,
  resourceName: column.text.nullable,
  timestamp: column.timestamp,
};

const changesAfter = defineQuery({
  name: "select-changes-after",
  row: ENTRY,
  isPrepared: true,
  text: `
    SELECT seq, resource, action, resource_id AS "resourceId", resource_name AS "resourceName", created_at AS timestamp
    FROM change_events WHERE seq > $1 ORDER BY seq LIMIT $2`,
});

/** Up to `limit` entries after a sequence number, in order. */
export function selectChangesAfter(pool: Pool, seq: number, limit: number): Promise<LogEntry[]> {
  return changesAfter.all(pool, [seq, limit]);
}

const logEnds = defineQuery({
  name: "select-change-log-ends",
  row: { first: column.safeInteger.nullable, last: column.safeInteger.nullable },
  text: "SELECT min(seq) AS first, max(seq) AS last FROM change_events",
});

/** The first and last sequence numbers in the log; zeros if it is empty. */
export async function selectLogEnds(pool: Pool): Promise<{ first: number; last: number }> {
  const { first, last } = await logEnds.one(pool);
  return { first: first ?? 0, last: last ?? 0 };
}

interface ChangePlaces {
  readonly lastSeq: number | null;
  readonly lastAt: string | null;
  readonly at: string | null;
}

const changePlaces = defineQuery({
  name: "select-change-places",
  row: { lastSeq: column.safeInteger.nullable, lastAt: column.timestamp.nullable, at: column.timestamp.nullable },
  text: `
    SELECT last.seq AS "lastSeq", last.created_at AS "lastAt", own.created_at AS at
    FROM (SELECT 1) AS one
    LEFT JOIN LATERAL (SELECT seq, created_at FROM change_events ORDER BY seq DESC LIMIT 1) AS last ON true
    LEFT JOIN change_events own ON own.seq = $1`,
});

/** The last change in the log, and when the change with a number was made; nulls where there is none. */
export function selectChangePlaces(pool: Pool, seq: number): Promise<ChangePlaces> {
  return changePlaces.one(pool, [seq]);
}

const changedResources = defineQuery({
  name: "select-changed-resources",
  row: { resource: column.text.as<LogEntry["resource"]>(), resourceId: column.text },
  text: `
    SELECT DISTINCT resource, resource_id AS "resourceId" FROM change_events
    WHERE seq > $1 AND seq <= $2 AND resource = ANY($3::text[]) LIMIT $4`,
});

/** What has changed between two numbers, each once; null if changes may be missing between the two, or if there are more than `max`. */
export async function selectChangedResources(
  pool: Pool,
  { afterSeq, lastSeq, kinds, max }: { afterSeq: number; lastSeq: number; kinds: readonly ResourceKind[]; max: number },
): Promise<{ resource: ResourceKind; resourceId: string }[] | null> {
  const rows = await changedResources.all(pool, [afterSeq, lastSeq, [...kinds, GAP], max + 1]);
  const changed = rows.flatMap(({ resource, resourceId }) => (resource === GAP ? [] : [{ resource, resourceId }]));
  return changed.length < rows.length || changed.length > max ? null : changed;
}

const visibleChanges = defineQuery({
  name: "select-visible-changes",
  row: ENTRY,
  // Earlier names may be those that documents had outside the folder, and how many there were at once is about others, too.
  text: `
    SELECT seq, resource, action, resource_id AS "resourceId", created_at AS timestamp,
      CASE WHEN $4::text IS NULL OR resource <> 'document' THEN resource_name
        ELSE (SELECT d.title FROM documents d WHERE d.id::text = resource_id) END AS "resourceName"
    FROM change_events
    WHERE seq > $1 AND seq <= $2 AND resource = ANY($3::text[]) AND (
      $4::text IS NULL OR resource <> 'document' OR resource_id = '*'
      OR EXISTS (SELECT FROM documents d WHERE d.id::text = resource_id AND starts_with(d.path, $4 || '/')))
    ORDER BY seq LIMIT $5`,
});

export interface VisibleRange {
  readonly afterSeq: number;
  readonly lastSeq: number;
  readonly kinds: readonly ResourceKind[];
  /** The only folder whose documents are visible; null for all. */
  readonly folder: string | null;
  readonly limit: number;
}

/** The changes between two numbers of resources that a program can read, in order, and the gaps between them. */
export function selectVisibleChanges(pool: Pool, range: VisibleRange): Promise<LogEntry[]> {
  const { afterSeq, lastSeq, kinds, folder, limit } = range;
  return visibleChanges.all(pool, [afterSeq, lastSeq, [...kinds, GAP], folder, limit]);
}

const forgottenChanges = defineCommand({
  name: "delete-old-changes",
  text: "DELETE FROM change_events WHERE seq <= (SELECT max(seq) FROM change_events) - $1",
});

/** Deletes all but the newest `keep` events. */
export async function deleteOldChanges(pool: Pool, keep: number): Promise<void> {
  await forgottenChanges.run(pool, [keep]);
}

const lastChange = defineQuery({
  name: "select-last-change-time",
  row: { createdAt: column.timestamp },
  text: `SELECT created_at AS "createdAt" FROM change_events ORDER BY seq DESC LIMIT 1`,
});

/** When the last change was recorded, by the clock of that process; null if none is in the log. */
export async function selectLastChangeTime(db: Db): Promise<Date | null> {
  const last = await lastChange.first(db.pool, []);
  return last === null ? null : new Date(last.createdAt);
}
