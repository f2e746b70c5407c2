import { column, defineCommand, defineComposedQuery, defineQuery } from "@workspace/db";
import type { Bind, PoolClient, Queryable } from "@workspace/db";
import { TASK_REF, toTask, TASK, TASK_COLUMNS, TASK_JOINS } from "../tasks/task.queries.ts";
import type { Task, TaskRef } from "../tasks/task.schema.ts";
import type { ListReady } from "./task-queue.schema.ts";

/** A task `t` that nobody is working on and that nothing holds up. */
const IS_READY = `
  t.deleted_at IS NULL AND t.status IN ('todo', 'in_progress')
  AND (t.status = 'todo' OR t.claim_expires_at <= now())
  AND NOT EXISTS (
    SELECT FROM task_blocks b JOIN tasks blocker ON blocker.id = b.blocker_id
    WHERE b.task_id = t.id AND blocker.deleted_at IS NULL AND blocker.status <> 'done'
  )`;

/** What is urgent first, then what is due first, then what is oldest. */
const IN_ORDER = "t.priority DESC, t.due_date, t.created_at, t.id";

function filters({ projectId, tag }: Pick<ListReady, "projectId" | "tag">, bind: Bind): string {
  return [
    ...(projectId === undefined ? [] : [`AND t.project_id = ${bind(projectId)}`]),
    ...(tag === undefined ? [] : [`AND t.tags @> ARRAY[${bind(tag)}]`]),
  ].join(" ");
}

const ready = defineComposedQuery({
  name: "select-ready-tasks",
  row: TASK,
  compose: ({ limit, ...filter }: ListReady, bind) => `
    SELECT ${TASK_COLUMNS} FROM tasks t ${TASK_JOINS} WHERE ${IS_READY} ${filters(filter, bind)}
    ORDER BY ${IN_ORDER} LIMIT ${bind(limit)}`,
  examples: [{ projectId: "", tag: "", limit: 1 }],
});

/** The tasks that can be claimed, in the order of the queue. */
export async function selectReadyTasks(db: Queryable, list: ListReady): Promise<Task[]> {
  return (await ready.all(db, list)).map(toTask);
}

export interface Wanted extends Pick<ListReady, "projectId" | "tag"> {
  /** The task; undefined for the first one. */
  readonly id?: string | undefined;
}

const lockedReady = defineComposedQuery({
  name: "lock-ready-task",
  row: { id: column.uuid },
  compose: (wanted: Wanted, bind) => {
    // A task that is locked is being claimed or changed. Whoever wants any task takes the next one instead of waiting.
    const [isWanted, waiting] = wanted.id === undefined ? ["", "SKIP LOCKED"] : [`AND t.id = ${bind(wanted.id)}`, ""];
    return `
      SELECT t.id FROM tasks t WHERE ${IS_READY} ${isWanted} ${filters(wanted, bind)}
      ORDER BY ${IN_ORDER} LIMIT 1 FOR UPDATE OF t ${waiting}`;
  },
  examples: [{ id: "", projectId: "", tag: "" }, {}],
});

/**
 * Locks a task that was ready when the statement began. What blocks it may have changed until it was locked: {@link claimTask} looks
 * again. Null if there is none.
 */
export async function lockReadyTask(client: PoolClient, wanted: Wanted): Promise<string | null> {
  const [task] = await lockedReady.all(client, wanted);
  return task?.id ?? null;
}

export interface NewClaim {
  readonly id: string;
  readonly claimId: string;
  readonly holder: string;
  readonly sessionId: string | null;
  readonly leaseMinutes: number;
}

const claimed = defineQuery({
  name: "claim-task",
  row: { id: column.uuid },
  text: `
    UPDATE tasks t SET status = 'in_progress', claim_id = $2,
      claim_holder = $3, claim_session_id = $4, claimed_at = now(), claim_expires_at = now() + $5::integer * interval '1 minute',
      modified_at = now(), version = t.version + 1
    WHERE t.id = $1 AND ${IS_READY} RETURNING t.id`,
});

/** Claims a locked task. Returns whether it is still ready. */
export async function claimTask(client: PoolClient, claim: NewClaim): Promise<boolean> {
  const { id, claimId, holder, sessionId, leaseMinutes } = claim;
  return (await claimed.first(client, [id, claimId, holder, sessionId, leaseMinutes])) !== null;
}

const renewed = defineQuery({
  name: "renew-task-claim",
  row: { id: column.uuid },
  text: `
    UPDATE tasks SET claim_expires_at = now() + $3::integer * interval '1 minute'
    WHERE id = $1 AND claim_id = $2 AND deleted_at IS NULL RETURNING id`,
});

/** Extends a claim, also one that has run out if nobody else has claimed the task. Returns whether there is such a claim. */
export async function renewClaim(
  db: Queryable,
  { id, claimId, leaseMinutes }: { id: string; claimId: string; leaseMinutes: number },
): Promise<boolean> {
  return (await renewed.first(db, [id, claimId, leaseMinutes])) !== null;
}

const released = defineQuery({
  name: "release-task",
  row: { id: column.uuid },
  text: `
    UPDATE tasks SET status = 'todo', claim_id = NULL, claim_holder = NULL, claim_session_id = NULL, claimed_at = NULL,
      claim_expires_at = NULL, handover_note = COALESCE($3, handover_note), modified_at = now(), version = version + 1
    WHERE id = $1 AND claim_id IS NOT NULL AND claim_id = COALESCE($2, claim_id) AND deleted_at IS NULL
    RETURNING id`,
});

/**
 * Ends a claim: the one with this id, or with null any. The task can be claimed again. Returns whether there was such a claim.
 */
export async function releaseTask(
  db: Queryable,
  { id, claimId, note }: { id: string; claimId: string | null; note: string | null },
): Promise<boolean> {
  return (await released.first(db, [id, claimId, note])) !== null;
}

const blockers = defineQuery({
  name: "select-task-blockers",
  row: TASK_REF,
  text: `
    SELECT t.id, t.title, t.status FROM task_blocks b JOIN tasks t ON t.id = b.blocker_id
    WHERE b.task_id = $1 AND t.deleted_at IS NULL ORDER BY t.created_at, t.id`,
});

const blockedTasks = defineQuery({
  name: "select-blocked-tasks",
  row: TASK_REF,
  text: `
    SELECT t.id, t.title, t.status FROM task_blocks b JOIN tasks t ON t.id = b.task_id
    WHERE b.blocker_id = $1 AND t.deleted_at IS NULL ORDER BY t.created_at, t.id LIMIT 1000`,
});

/** What has to be done before a task, without what is deleted. */
export function selectBlockers(db: Queryable, id: string): Promise<TaskRef[]> {
  return blockers.all(db, [id]);
}

/** What can only begin after a task, without what is deleted. */
export function selectBlockedTasks(db: Queryable, id: string): Promise<TaskRef[]> {
  return blockedTasks.all(db, [id]);
}

const blocksLock = defineCommand({
  name: "lock-task-blocks",
  text: "SELECT pg_advisory_xact_lock(hashtext('task_blocks'))",
});

/** Waits until no other transaction is changing what blocks what. */
export async function lockTaskBlocks(client: PoolClient): Promise<void> {
  await blocksLock.run(client, []);
}

const knownTasks = defineQuery({
  name: "select-known-tasks",
  row: { id: column.uuid },
  text: "SELECT id FROM tasks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL",
});

/** Those of the ids that are ids of tasks that are not deleted. */
export async function selectKnownTasks(db: Queryable, ids: readonly string[]): Promise<string[]> {
  return (await knownTasks.all(db, [ids])).map(({ id }) => id);
}

const waitingTasks = defineQuery({
  name: "select-tasks-waiting-for",
  row: { id: column.uuid.neverNull },
  text: `
    WITH RECURSIVE waiting (id) AS (
      SELECT $1::uuid
      UNION SELECT b.task_id FROM waiting JOIN task_blocks b ON b.blocker_id = waiting.id
    )
    SELECT id FROM waiting`,
});

/** A task and everything that directly or indirectly waits for it, which therefore must not block it. */
export async function selectTasksWaitingFor(db: Queryable, id: string): Promise<string[]> {
  return (await waitingTasks.all(db, [id])).map((row) => row.id);
}

const replacedBlockers = defineCommand({
  name: "replace-task-blockers",
  text: `
    WITH removed AS (DELETE FROM task_blocks WHERE task_id = $1 AND blocker_id <> ALL($2::uuid[]))
    INSERT INTO task_blocks (task_id, blocker_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING`,
});

export async function replaceBlockers(client: PoolClient, id: string, blockedBy: readonly string[]): Promise<void> {
  await replacedBlockers.run(client, [id, blockedBy]);
}
