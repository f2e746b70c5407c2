import { column, defineCommand, defineQuery, TaskStatus, type Queryable, type RowOf } from "@workspace/db";
import type { DeliveredReminder, TaskReminder } from "./task-reminder.schema.ts";

const REMINDER = {
  id: column.uuid,
  minutesBefore: column.integer.nullable,
  timezone: column.text,
  at: column.timestamp.nullable,
  deliveredAt: column.timestamp.nullable,
  isDefault: column.boolean,
};
/** A default one that the person has removed is kept without a time, so that it is not given again. */
const IS_DECLINED = "(is_default AND minutes_before IS NULL)";
const COLUMNS = `id, minutes_before AS "minutesBefore", timezone, fires_at AS at, fired_at AS "deliveredAt", is_default AS "isDefault"`;

const reminders = defineQuery({
  name: "select-task-reminders",
  row: REMINDER,
  text: `
    SELECT ${COLUMNS} FROM task_reminders WHERE task_id = $1 AND user_id = $2 AND NOT ${IS_DECLINED}
    ORDER BY minutes_before DESC NULLS LAST, fires_at, id`,
});

/** A person's reminders of a task. */
export function selectReminders(db: Queryable, taskId: string, userId: string): Promise<TaskReminder[]> {
  return reminders.all(db, [taskId, userId]);
}

export interface NewReminder {
  readonly id: string;
  readonly taskId: string;
  readonly userId: string;
  readonly minutesBefore: number | null;
  readonly at: Date | null;
  readonly timezone: string;
}

const newReminder = defineCommand({
  name: "insert-task-reminder",
  text: `
    INSERT INTO task_reminders (id, task_id, user_id, minutes_before, fires_at, timezone, created_at)
    SELECT $1, $2, $3, $4, $5, $6, now()
    WHERE (SELECT count(*) FROM task_reminders WHERE task_id = $2 AND user_id = $3 AND NOT ${IS_DECLINED}) < $7`,
});

/** A trigger finds the time of one that is relative to the due date. Returns false if there are as many as there can be. */
export async function insertReminder(db: Queryable, reminder: NewReminder, most: number): Promise<boolean> {
  const { id, taskId, userId, minutesBefore, at, timezone } = reminder;
  return (await newReminder.run(db, [id, taskId, userId, minutesBefore, at, timezone, most])) === 1;
}

const deletedReminder = defineCommand({
  name: "delete-task-reminder",
  text: "DELETE FROM task_reminders WHERE id = $1 AND task_id = $2 AND user_id = $3 AND NOT is_default",
});

const declinedDefault = defineCommand({
  name: "decline-default-reminder",
  text: `
    UPDATE task_reminders SET minutes_before = NULL, fires_at = NULL, fired_at = NULL, push_at = NULL
    WHERE id = $1 AND task_id = $2 AND user_id = $3 AND is_default AND minutes_before IS NOT NULL`,
});

/** Returns false if the person has no such reminder. */
export async function deleteReminder(db: Queryable, id: string, taskId: string, userId: string): Promise<boolean> {
  const values = [id, taskId, userId];
  return (await deletedReminder.run(db, values)) === 1 || (await declinedDefault.run(db, values)) === 1;
}

const DELIVERED = {
  id: column.uuid,
  taskId: column.uuid,
  title: column.text,
  status: column.oneOf(TaskStatus),
  dueDate: column.text.nullable,
  dueTime: column.text.nullable,
  at: column.timestamp.neverNull,
  isLate: column.boolean.neverNull,
};
const IS_LATE = "COALESCE(r.fired_at - r.fires_at > interval '2 minutes', false)";

const unseen = defineQuery({
  name: "select-unseen-reminders",
  row: DELIVERED,
  text: `
    SELECT r.id, t.id AS "taskId", t.title, t.status, t.due_date AS "dueDate", t.due_time AS "dueTime", r.fires_at AS at,
      ${IS_LATE} AS "isLate"
    FROM task_reminders r JOIN tasks t ON t.id = r.task_id
    WHERE r.user_id = $1 AND r.fired_at IS NOT NULL AND r.seen_at IS NULL AND t.deleted_at IS NULL AND t.status <> 'done'
    ORDER BY r.fired_at DESC, r.id LIMIT 20`,
});

/** The latest reminders of a person that were delivered and not seen, of tasks that are still to be done. */
export async function selectUnseen(db: Queryable, userId: string): Promise<DeliveredReminder[]> {
  const rows = await unseen.all(db, [userId]);
  return rows.map(({ id, taskId, title, status, dueDate, dueTime, at, isLate }) => ({
    id,
    task: { id: taskId, title, status, dueDate, dueTime },
    at,
    isLate,
  }));
}

const seen = defineQuery({
  name: "see-reminders",
  row: { taskId: column.uuid },
  text: `
    UPDATE task_reminders SET seen_at = now() WHERE id = ANY($1::uuid[]) AND user_id = $2 AND fired_at IS NOT NULL AND seen_at IS NULL
    RETURNING task_id AS "taskId"`,
});

/** Marks reminders as seen; returns the tasks of those that were not. */
export async function seeReminders(db: Queryable, ids: readonly string[], userId: string): Promise<string[]> {
  return (await seen.all(db, [ids, userId])).map(({ taskId }) => taskId);
}

const FIRED = { ...DELIVERED, timezone: column.text, userId: column.uuid, isOpen: column.boolean.neverNull };
export type FiredReminder = RowOf<typeof FIRED>;

const fired = defineQuery({
  name: "fire-task-reminders",
  row: FIRED,
  text: `
    WITH due AS (
      SELECT id FROM task_reminders WHERE fired_at IS NULL AND fires_at <= now() ORDER BY fires_at LIMIT $1
      FOR UPDATE SKIP LOCKED
    )
    UPDATE task_reminders r
    SET fired_at = now(), seen_at = CASE WHEN t.deleted_at IS NULL AND t.status <> 'done' THEN NULL ELSE now() END,
      push_at = CASE WHEN t.deleted_at IS NULL AND t.status <> 'done' THEN now() END, push_attempts = 0, push_targets = '{}'
    FROM due, tasks t WHERE r.id = due.id AND t.id = r.task_id
    RETURNING r.id, t.id AS "taskId", t.title, t.status, t.due_date AS "dueDate", t.due_time AS "dueTime", r.fires_at AS at,
      ${IS_LATE} AS "isLate", r.timezone, r.user_id AS "userId", t.deleted_at IS NULL AND t.status <> 'done' AS "isOpen"`,
});

/** Takes the reminders whose time has come, so that no other process does, by the clock of the database. */
export function fireReminders(db: Queryable, limit: number): Promise<FiredReminder[]> {
  return fired.all(db, [limit]);
}

const PUSHED = {
  ...DELIVERED,
  timezone: column.text,
  userId: column.uuid,
  attempts: column.integer,
  targets: column.uuids.neverNull,
};
/** A reminder of which a message is to be sent. */
export type PushedReminder = RowOf<typeof PUSHED>;

const claimedPushes = defineQuery({
  name: "claim-reminder-pushes",
  row: PUSHED,
  text: `
    WITH due AS (
      SELECT id FROM task_reminders WHERE push_at <= now() ORDER BY push_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ),
    claimed AS (
      UPDATE task_reminders r SET push_attempts = push_attempts + 1,
        push_at = CASE WHEN r.seen_at IS NULL THEN now() + $2 * interval '1 ms' END
      FROM due WHERE r.id = due.id RETURNING r.*
    )
    SELECT r.id, t.id AS "taskId", t.title, t.status, t.due_date AS "dueDate", t.due_time AS "dueTime", r.fires_at AS at,
      ${IS_LATE} AS "isLate", r.timezone, r.user_id AS "userId", r.push_attempts AS attempts,
      COALESCE(r.push_targets, '{}') AS targets
    FROM claimed r JOIN tasks t ON t.id = r.task_id
    WHERE r.seen_at IS NULL AND t.deleted_at IS NULL AND t.status <> 'done'`,
});

/**
 * Takes the reminders of which messages are to be sent now, so that no other process does for a while. Those that somebody has seen
 * meanwhile need none.
 */
export function claimPushes(
  db: Queryable,
  { limit, claimMs }: { readonly limit: number; readonly claimMs: number },
): Promise<PushedReminder[]> {
  return claimedPushes.all(db, [limit, claimMs]);
}

const plannedPush = defineCommand({
  name: "plan-reminder-push",
  text: `
    UPDATE task_reminders SET push_targets = $3::uuid[], push_at = now() + $4::float8 * interval '1 ms'
    WHERE id = $1 AND push_attempts = $2 AND push_at IS NOT NULL`,
});

/** Plans another message to the subscriptions that were not reached; none if the pause is null. */
export async function planPush(
  db: Queryable,
  { id, attempts }: Pick<PushedReminder, "id" | "attempts">,
  targets: readonly string[],
  pauseMs: number | null,
): Promise<void> {
  await plannedPush.run(db, [id, attempts, targets, pauseMs]);
}
