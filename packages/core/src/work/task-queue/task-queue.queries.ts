import { column, defineCommand, defineComposedQuery, defineQuery, TaskStatus } from "@workspace/db";
import type { Bind, PoolClient, Queryable, RowOf } from "@workspace/db";
import { TASK_REF, toTask, TASK, TASK_COLUMNS, TASK_JOINS, IS_SNOOZED } from "../tasks/task.queries.ts";
import type { ChangeMark, NewTaskChange } from "../tasks/task-change.ts";
import { recordedIn, toChangeParameter } from "../tasks/task-change.queries.ts";
import type { Task, TaskRef } from "../tasks/task.schema.ts";
import { FILTER_EXAMPLE } from "../task-filter/filter-example.ts";
import type { ReadFilter } from "../task-filter/filter-reader.ts";
import { filterSql } from "../task-filter/filter-sql.ts";
import type { ListReady } from "./task-queue.schema.ts";

const isBlocked = (task: string) => `EXISTS (
    SELECT FROM task_blocks b JOIN tasks blocker ON blocker.id = b.blocker_id
    WHERE b.task_id = ${task}.id AND blocker.deleted_at IS NULL AND blocker.status <> 'done'
  )`;

/**
 * A task `t` that nobody is working on and that nothing holds up: neither a blocker of its own or of what it is a subtask of, nor its
 * own subtasks, which are done first.
 */
const IS_READY = `
  t.deleted_at IS NULL AND t.status IN ('todo', 'in_progress') AND NOT ${IS_SNOOZED}
  AND (t.status = 'todo' OR t.claim_expires_at <= now())
  AND NOT ${isBlocked("t")}
  AND NOT EXISTS (
    SELECT FROM tasks subtask WHERE subtask.parent_id = t.id AND subtask.deleted_at IS NULL AND subtask.status <> 'done'
  )
  AND (t.parent_id IS NULL OR NOT EXISTS (
    WITH RECURSIVE above AS (
      SELECT parent.id, parent.parent_id, parent.status, parent.deleted_at FROM tasks parent WHERE parent.id = t.parent_id
      UNION SELECT parent.id, parent.parent_id, parent.status, parent.deleted_at FROM above JOIN tasks parent ON parent.id = above.parent_id
    )
    SELECT FROM above WHERE above.deleted_at IS NULL AND (above.status = 'blocked' OR ${isBlocked("above")})
  ))
  AND (t.project_id IS NULL OR EXISTS (SELECT FROM projects active WHERE active.id = t.project_id AND active.deleted_at IS NULL))`;

/** What is urgent first, then what is due first, then in the manual order, which is that of age until somebody changes it. */
const IN_ORDER = "t.priority DESC, t.due_date, t.due_time, t.position, t.created_at, t.id";

interface Restrictions extends Pick<ListReady, "projectId" | "tag"> {
  /** The person, agent or key: without those that are meant for others. Null for all. */
  readonly partyId: string | null;
}

function filters({ projectId, tag, partyId }: Restrictions, bind: Bind): string {
  return [
    ...(partyId === null ? [] : [`AND (t.assignee IS NULL OR t.assignee ->> 'id' = ${bind(partyId)})`]),
    ...(projectId === undefined ? [] : [`AND t.project_id = ${bind(projectId)}`]),
    ...(tag === undefined ? [] : [`AND t.tags @> ARRAY[${bind(tag)}]`]),
  ].join(" ");
}

const HINDRANCE = {
  kind: column.text.as<"project" | "blocker" | "subtask" | "parent">().neverNull,
  title: column.text.neverNull,
};
export type Hindrance = RowOf<typeof HINDRANCE>;

const hindrance = defineQuery({
  name: "select-task-hindrance",
  row: HINDRANCE,
  text: `
    WITH RECURSIVE line AS (
      SELECT id, parent_id, title, status, project_id FROM tasks WHERE id = $1
      UNION
      SELECT t.id, t.parent_id, t.title, t.status, t.project_id FROM line JOIN tasks t ON t.id = line.parent_id
      WHERE t.deleted_at IS NULL
    )
    SELECT 'project' AS kind, p.name AS title FROM tasks t JOIN projects p ON p.id = t.project_id
    WHERE t.id = $1 AND p.deleted_at IS NOT NULL
    UNION ALL SELECT 'blocker', blocker.title FROM line JOIN task_blocks b ON b.task_id = line.id
      JOIN tasks blocker ON blocker.id = b.blocker_id WHERE blocker.deleted_at IS NULL AND blocker.status <> 'done'
    UNION ALL SELECT 'subtask', title FROM tasks WHERE parent_id = $1 AND deleted_at IS NULL AND status <> 'done'
    UNION ALL SELECT 'parent', title FROM line WHERE id <> $1 AND status = 'blocked'
    LIMIT 1`,
});

/** What keeps a task from being ready, besides its own status; null if nothing does. */
export function selectHindrance(db: Queryable, id: string): Promise<Hindrance | null> {
  return hindrance.first(db, [id]);
}

const ready = defineComposedQuery({
  name: "select-ready-tasks",
  row: TASK,
  compose: ({ limit, filtered, ...restrictions }: ReadyList, bind) => {
    const { filter, context } = filtered;
    return `
      SELECT ${TASK_COLUMNS} FROM tasks t ${TASK_JOINS} WHERE ${IS_READY} ${filters(restrictions, bind)}
        ${filter === null ? "" : `AND ${filterSql(filter, context, bind)}`}
      ORDER BY ${IN_ORDER} LIMIT ${bind(limit)}`;
  },
  examples: [{ projectId: "", tag: "", partyId: "", limit: 1, filtered: FILTER_EXAMPLE }],
});

export interface ReadyList extends Restrictions, Pick<ListReady, "limit"> {
  readonly filtered: ReadFilter;
}

/** The tasks that can be claimed, in the order of the queue. */
export async function selectReadyTasks(db: Queryable, list: ReadyList): Promise<Task[]> {
  return (await ready.all(db, list)).map(toTask);
}

export interface Wanted extends Restrictions {
  /** The task; undefined for the first one. */
  readonly id?: string | undefined;
}

const READY_TASK = { id: column.uuid, status: column.oneOf(TaskStatus), claimHolder: column.text.nullable };
export type ReadyTask = RowOf<typeof READY_TASK>;

const lockedReady = defineComposedQuery({
  name: "lock-ready-task",
  row: READY_TASK,
  compose: (wanted: Wanted, bind) => {
    // A task that is locked is being claimed or changed. Whoever wants any task takes the next one instead of waiting.
    const [isWanted, waiting] = wanted.id === undefined ? ["", "SKIP LOCKED"] : [`AND t.id = ${bind(wanted.id)}`, ""];
    return `
      SELECT t.id, t.status, t.claim_holder AS "claimHolder" FROM tasks t WHERE ${IS_READY} ${isWanted} ${filters(wanted, bind)}
      ORDER BY ${IN_ORDER} LIMIT 1 FOR UPDATE OF t ${waiting}`;
  },
  examples: [{ id: "", projectId: "", tag: "", partyId: "" }, { partyId: null }],
});

/**
 * Locks a task that was ready when the statement began. What blocks it may have changed until it was locked: {@link claimTask} looks
 * again. Null if there is none.
 */
export async function lockReadyTask(client: PoolClient, wanted: Wanted): Promise<ReadyTask | null> {
  const [task] = await lockedReady.all(client, wanted);
  return task ?? null;
}

export interface NewClaim {
  readonly id: string;
  readonly claimId: string;
  readonly holder: string;
  readonly sessionId: string | null;
  readonly leaseMinutes: number;
  readonly change: NewTaskChange;
}

const claimed = defineQuery({
  name: "claim-task",
  row: { id: column.uuid },
  isPrepared: true,
  text: `
    WITH claimed AS (UPDATE tasks t SET status = 'in_progress', claim_id = $2,
      claim_holder = $3, claim_session_id = $4, claim_author = $7::jsonb, claimed_at = now(), claim_expires_at = now() + $5::integer * interval '1 minute',
      modified_at = now(), version = t.version + 1
    WHERE t.id = $1 AND ${IS_READY} RETURNING t.id),
    session AS (
      INSERT INTO task_sessions (task_id, session_id, named_at) SELECT id, $4, now() FROM claimed WHERE $4::text IS NOT NULL
      ON CONFLICT DO NOTHING
    ),
    ${recordedIn({ parameter: "$6", changed: "claimed" })}
    SELECT id FROM claimed`,
});

/** Claims a locked task. Returns whether it is still ready. */
export async function claimTask(client: PoolClient, claim: NewClaim): Promise<boolean> {
  const { id, claimId, holder, sessionId, leaseMinutes, change } = claim;
  const author = JSON.stringify(change.author);
  const parameters = [id, claimId, holder, sessionId, leaseMinutes, toChangeParameter(change), author];
  return (await claimed.first(client, parameters)) !== null;
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

const RELEASE = `(
  SELECT jsonb_build_array(
      jsonb_build_object('field', 'claim', 'before', before.claim_holder, 'after', NULL),
      jsonb_build_object('field', 'status', 'before', before.status, 'after', 'todo'))
    || CASE WHEN $3::text = before.handover_note OR $3::text IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(
      jsonb_build_object('field', 'handoverNote', 'before', before.handover_note, 'after', $3::text)) END
  FROM before)`;

const released = defineQuery({
  name: "release-task",
  row: { id: column.uuid },
  isPrepared: true,
  text: `
    WITH before AS (
      SELECT id, status, claim_holder, handover_note FROM tasks
      WHERE id = $1 AND claim_id IS NOT NULL AND claim_id = COALESCE($2, claim_id) AND deleted_at IS NULL
      FOR UPDATE
    ),
    released AS (
      UPDATE tasks t SET status = 'todo', claim_id = NULL, claim_holder = NULL, claim_session_id = NULL, claim_author = NULL,
        claimed_at = NULL, claim_expires_at = NULL, handover_note = COALESCE($3, t.handover_note), modified_at = now(), version = t.version + 1
      FROM before WHERE t.id = before.id RETURNING t.id
    ),
    ${recordedIn({ parameter: "$4", changed: "released", changes: RELEASE })}
    SELECT id FROM released`,
});

/**
 * Ends a claim: the one with this id, or with null any. The task can be claimed again. Returns whether there was such a claim.
 */
export async function releaseTask(
  db: Queryable,
  { id, claimId, note, mark }: { id: string; claimId: string | null; note: string | null; mark: ChangeMark },
): Promise<boolean> {
  return (await released.first(db, [id, claimId, note, toChangeParameter(mark)])) !== null;
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

const knownTasks = defineQuery({
  name: "select-known-tasks",
  row: { id: column.uuid, title: column.text },
  text: "SELECT id, title FROM tasks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY created_at, id",
});

/** Those of the tasks that are not deleted, oldest first. */
export async function selectKnownTasks(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; title: string }[]> {
  return knownTasks.all(db, [ids]);
}

const replacedBlockers = defineCommand({
  name: "replace-task-blockers",
  text: `
    WITH removed AS (DELETE FROM task_blocks WHERE task_id = $1 AND blocker_id <> ALL($2::uuid[])),
    added AS (
      INSERT INTO task_blocks (task_id, blocker_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING
    ),
    task AS (SELECT $1::uuid AS id),
    ${recordedIn({ parameter: "$3", changed: "task" })}
    SELECT`,
});

export async function replaceBlockers(
  client: PoolClient,
  { id, blockedBy, change }: { id: string; blockedBy: readonly string[]; change: NewTaskChange | null },
): Promise<void> {
  await replacedBlockers.run(client, [id, blockedBy, toChangeParameter(change)]);
}
