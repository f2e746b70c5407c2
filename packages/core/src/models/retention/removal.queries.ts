import {
  column,
  defineCommand,
  defineQuery,
  type PoolClient,
  type Query,
  type Queryable,
  type RowOf,
} from "@workspace/db";
import { FAILURES } from "../../access/accounts/account.queries.ts";
import { rolledUpUsage } from "../../assistants/assistant-usage/session-usage.queries.ts";
import type { RetentionKind } from "./retention-kinds.ts";

const REMOVED = { removed: column.integer.neverNull, until: column.timestamp.nullable };

/** How many rows were removed, and the time of the newest of them. */
export type Removed = Readonly<RowOf<typeof REMOVED>>;

/** SQL: when something was last said in a conversation. */
export const AT_OF_CONVERSATION =
  "COALESCE((SELECT max(created_at) FROM messages m WHERE m.conversation_id = t.id), t.started_at)";

/** SQL: what has to be true of an old row `t` to be removed. */
export const NOT_IN_USE = {
  /** The last run of an agent is shown with it, and a held credit is settled by the run. */
  runs: `t.status <> 'running'
    AND EXISTS (SELECT FROM agent_runs later WHERE later.agent_id = t.agent_id AND (later.started_at, later.id) > (t.started_at, t.id))
    AND NOT EXISTS (SELECT FROM agent_asks a WHERE a.id = t.id AND a.credits_used IS NULL)`,
  /** When somebody was last here is shown with all users. */
  signIns: `(t.outcome IN (${FAILURES}) OR EXISTS (
    SELECT FROM sign_ins later WHERE later.user_id = t.user_id AND later.outcome NOT IN (${FAILURES})
      AND (later.created_at, later.id) > (t.created_at, t.id)))`,
  /** The last change is where clients and webhooks continue. */
  changes: "t.seq < (SELECT max(seq) FROM change_events)",
  /** Neither those being answered nor favourites. */
  conversations: `t.status <> 'streaming'
    AND NOT EXISTS (SELECT FROM shelf_items s WHERE s.kind = 'conversation' AND s.item_id = t.id::text AND s.position IS NOT NULL)`,
  /** What was in it may still be there. */
  deletedProjects: `NOT EXISTS (SELECT FROM tasks o WHERE o.project_id = t.id)
    AND NOT EXISTS (SELECT FROM documents o WHERE o.project_id = t.id)
    AND NOT EXISTS (SELECT FROM calendar_feeds o WHERE o.project_id = t.id)`,
} as const;

interface Removal {
  readonly table: string;
  readonly key?: string;
  /** SQL: when a row was made or left. */
  readonly at: string;
  readonly when?: string;
  /** SQL: more to delete with the rows in `old`, as parts of a WITH. */
  readonly also?: string;
}

/**
 * A statement that deletes old rows, the oldest first, and no more than a few at once, so that no lock is held for long. Rows that
 * are locked wait for the next time. `$3` is where the last batch ended: reading begins there, not at what is already deleted.
 */
function removal(name: string, { table, key = "id", at, when = "true", also = "" }: Removal): Query<Removed> {
  return defineQuery({
    name: `remove-old-${name}`,
    row: REMOVED,
    text: `
      WITH old AS MATERIALIZED (
        SELECT t.${key} AS key, ${at} AS at FROM ${table} t WHERE ${at} >= $3 AND ${at} < $1 AND ${when}
        ORDER BY ${at} LIMIT $2 FOR UPDATE OF t SKIP LOCKED
      ), ${also} gone AS (
        DELETE FROM ${table} t USING old WHERE t.${key} = old.key RETURNING old.at
      )
      SELECT count(*)::int AS removed, max(at) AS until FROM gone`,
  });
}

const removals: Readonly<Record<Exclude<RetentionKind, "trash">, Query<Removed>>> = {
  hookEvents: removal("hook-events", { table: "hook_events", at: "t.created_at" }),
  transcripts: removal("transcripts", { table: "session_transcripts", key: "session_id", at: "t.updated_at" }),
  assistantUsage: rolledUpUsage,
  usage: removal("usage", { table: "usage_records", at: "t.created_at" }),
  runs: removal("runs", {
    table: "agent_runs",
    at: "t.started_at",
    when: NOT_IN_USE.runs,
    also: "asked AS (DELETE FROM agent_asks a USING old WHERE a.id = old.key),",
  }),
  signIns: removal("sign-ins", { table: "sign_ins", at: "t.created_at", when: NOT_IN_USE.signIns }),
  secretAccesses: removal("secret-accesses", { table: "secret_accesses", at: "t.created_at" }),
  changes: removal("changes", { table: "change_events", key: "seq", at: "t.created_at", when: NOT_IN_USE.changes }),
  conversations: removal("conversations", {
    table: "conversations",
    at: AT_OF_CONVERSATION,
    when: NOT_IN_USE.conversations,
  }),
  deletedTasks: removal("deleted-tasks", {
    table: "tasks",
    at: "t.deleted_at",
    also: "named AS (DELETE FROM task_sessions s USING old WHERE s.task_id = old.key),",
  }),
  deletedProjects: removal("deleted-projects", {
    table: "projects",
    at: "t.deleted_at",
    when: NOT_IN_USE.deletedProjects,
  }),
  deletedViews: removal("deleted-views", { table: "task_views", at: "t.deleted_at" }),
  versions: removal("versions", { table: "document_versions", at: "t.created_at" }),
};

interface Batch {
  readonly before: Date;
  readonly from: string | null;
  readonly limit: number;
}

/** Removes the oldest rows of a kind, in one statement. */
export function removeOldest(
  db: Queryable,
  kind: Exclude<RetentionKind, "trash">,
  { before, from, limit }: Batch,
): Promise<Removed> {
  return removals[kind].one(db, [before, limit, from ?? "-infinity"]);
}

/** An arbitrary number that nothing else locks; "prun" in ASCII. */
const PRUNE_LOCK = 0x7072756e;

const takenLock = defineQuery({
  name: "try-lock-pruning",
  row: { isOurs: column.boolean.neverNull },
  text: `SELECT pg_try_advisory_lock($1) AS "isOurs"`,
});

/** Tries to take the lock, which the connection then holds until it unlocks or closes. Returns whether it did. */
export async function tryLockPruning(client: PoolClient): Promise<boolean> {
  return (await takenLock.one(client, [PRUNE_LOCK])).isOurs;
}

const returnedLock = defineCommand({ name: "unlock-pruning", text: "SELECT pg_advisory_unlock($1)" });

export async function unlockPruning(client: PoolClient): Promise<void> {
  await returnedLock.run(client, [PRUNE_LOCK]);
}

const lockHolder = defineQuery({
  name: "is-pruning-locked",
  row: { isLocked: column.boolean.neverNull },
  text: `
    SELECT EXISTS (
      SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1::bigint::oid AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS "isLocked"`,
});

/** Whether any process holds the lock, this one included. */
export async function isPruningLocked(db: Queryable): Promise<boolean> {
  return (await lockHolder.one(db, [PRUNE_LOCK])).isLocked;
}
