import { column, defineQuery, type Query, type Queryable, type RowOf } from "@workspace/db";
import { AT_OF_CONVERSATION, NOT_IN_USE } from "./removal.queries.ts";
import { forEachKind, RETENTION_KINDS, type RetentionKind } from "./retention-kinds.ts";

const MEASURED = {
  rows: column.safeInteger.neverNull,
  bytes: column.safeInteger.neverNull,
  oldRows: column.safeInteger.neverNull,
  oldBytes: column.safeInteger.neverNull,
  oldestAt: column.timestamp.nullable,
  oldestKeptAt: column.timestamp.nullable,
};

/** How much there is of a kind, and how much of it is old. Of large tables, the number of rows is about right. */
export type Measured = Readonly<RowOf<typeof MEASURED>>;

/** Smaller tables are counted row by row. */
const COUNTED_BYTES = 8 * 1024 * 1024;

interface Measure {
  /** The table, and those whose rows are removed with its own. */
  readonly tables: readonly [string, ...string[]];
  /** SQL: when a row was made or left. */
  readonly at: string;
  /** SQL: which rows are of this kind; all of them by default. */
  readonly subset?: string;
  /** SQL: which of the old rows are removed; all of them by default. */
  readonly when?: string;
  /** SQL: the size of what a row stands for; of its share of the tables by default. */
  readonly size?: string;
}

/**
 * The number of old rows is read from an index on their time, and their size is their share of the tables: reading ten million rows
 * to add up their sizes would take minutes.
 */
function measure(name: string, { tables, at, subset, when = "true", size }: Measure): Query<Measured> {
  const [table] = tables;
  const all = tables.map((each) => `'${each}'::regclass`).join(", ");
  const isOf = subset ?? "true";
  const old = `${isOf} AND ${when} AND ${at} < $1`;
  const sums =
    size === undefined
      ? "total.bytes * counted.rows / GREATEST(total.rows, counted.rows, 1)"
      : `(SELECT COALESCE(sum(${size}), 0) FROM ${table} t WHERE ${isOf})`;
  const oldSums =
    size === undefined
      ? "total.bytes * gone.rows / GREATEST(total.rows, counted.rows, 1)"
      : `(SELECT COALESCE(sum(${size}), 0) FROM ${table} t WHERE ${old})`;
  const rows =
    subset === undefined ? "GREATEST(total.rows, gone.rows)" : `(SELECT count(*) FROM ${table} t WHERE ${isOf})`;
  return defineQuery({
    name: `measure-${name}`,
    row: MEASURED,
    text: `
      SELECT counted.rows::bigint AS rows, (${sums})::bigint AS bytes, gone.rows::bigint AS "oldRows",
        (${oldSums})::bigint AS "oldBytes",
        (SELECT min(${at}) FROM ${table} t WHERE ${isOf}) AS "oldestAt",
        (SELECT min(${at}) FROM ${table} t WHERE ${isOf} AND ${at} >= $1) AS "oldestKeptAt"
      FROM (
        SELECT (SELECT sum(pg_total_relation_size(each)) FROM unnest(ARRAY[${all}]) AS each) AS bytes,
          CASE WHEN pg_relation_size(c.oid) < ${COUNTED_BYTES} THEN (SELECT count(*) FROM ${table})
               ELSE GREATEST(c.reltuples, 0)::bigint END AS rows
        FROM pg_class c WHERE c.oid = '${table}'::regclass
      ) AS total,
      LATERAL (SELECT count(*) AS rows FROM ${table} t WHERE ${old}) AS gone,
      LATERAL (SELECT ${rows} AS rows) AS counted`,
  });
}

const measures: Readonly<Record<RetentionKind, Query<Measured>>> = {
  hookEvents: measure("hook-events", { tables: ["hook_events", "file_touches"], at: "t.created_at" }),
  transcripts: measure("transcripts", {
    tables: ["session_transcripts", "session_transcript_parts", "session_turn_vectors"],
    at: "t.updated_at",
  }),
  assistantUsage: measure("assistant-usage", { tables: ["assistant_usage"], at: "t.created_at" }),
  usage: measure("usage", { tables: ["usage_records"], at: "t.created_at" }),
  runs: measure("runs", { tables: ["agent_runs"], at: "t.started_at", when: NOT_IN_USE.runs }),
  signIns: measure("sign-ins", { tables: ["sign_ins"], at: "t.created_at", when: NOT_IN_USE.signIns }),
  secretAccesses: measure("secret-accesses", { tables: ["secret_accesses"], at: "t.created_at" }),
  changes: measure("changes", { tables: ["change_events"], at: "t.created_at", when: NOT_IN_USE.changes }),
  conversations: measure("conversations", {
    tables: ["conversations", "messages", "chat_events"],
    at: AT_OF_CONVERSATION,
    when: NOT_IN_USE.conversations,
  }),
  deletedTasks: measure("deleted-tasks", {
    tables: ["tasks", "task_changes", "task_comments"],
    at: "t.deleted_at",
    subset: "t.deleted_at IS NOT NULL",
  }),
  deletedProjects: measure("deleted-projects", {
    tables: ["projects"],
    at: "t.deleted_at",
    subset: "t.deleted_at IS NOT NULL",
    when: NOT_IN_USE.deletedProjects,
  }),
  deletedViews: measure("deleted-views", {
    tables: ["task_views"],
    at: "t.deleted_at",
    subset: "t.deleted_at IS NOT NULL",
  }),
  versions: measure("versions", { tables: ["document_versions"], at: "t.created_at", size: "t.size_bytes" }),
  trash: measure("trash", {
    tables: ["documents"],
    at: "t.deleted_at",
    subset: "t.trash_key IS NOT NULL",
    size: "t.size_bytes",
  }),
};

/** Measures what there is of each kind; what is older than its time counts as old, and nothing if that is null. */
export async function measureAll(
  db: Queryable,
  before: Readonly<Record<RetentionKind, Date | null>>,
): Promise<Record<RetentionKind, Measured>> {
  const measured = new Map<RetentionKind, Measured>();
  // One after the other: each may read an index of a large table.
  for (const kind of RETENTION_KINDS) {
    measured.set(kind, await measures[kind].one(db, [before[kind] ?? "-infinity"]));
  }
  return forEachKind((kind) => measured.get(kind) ?? NOTHING);
}

const NOTHING: Measured = { rows: 0, bytes: 0, oldRows: 0, oldBytes: 0, oldestAt: null, oldestKeptAt: null };
