import { column, defineCommand, defineQuery, TaskStatus, type Queryable, type RowOf } from "@workspace/db";
import type { DeliveredReminder, TaskReminder } from "./task-reminder.schema.ts";

const REMINDER = {
  id: column.uuid,
  minutesBefore: column.integer.nullable,
  timezone: column.text,
  at: column.timestamp.nullable,
  deliveredAt: column.timestamp.nullable,
};
const COLUMNS = `id, minutes_before AS "minutesBefore", timezone, fires_at AS at, fired_at AS "deliveredAt"`;

const reminders = defineQuery({
  name: "select-task-reminders",
  row: REMINDER,
  text: `
    SELECT ${COLUMNS} FROM task_reminders WHERE task_id = $1 AND user_id = $2
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
    WHERE (SELECT count(*) FROM task_reminders WHERE task_id = $2 AND user_id = $3) < $7`,
});

/** A trigger finds the time of one that is relative to the due date. Returns false if there are as many as there can be. */
export async function insertReminder(db: Queryable, reminder: NewReminder, most: number): Promise<boolean> {
  const { id, taskId, userId, minutesBefore, at, timezone } = reminder;
  return (await newReminder.run(db, [id, taskId, userId, minutesBefore, at, timezone, most])) === 1;
}

const deletedReminder = defineCommand({
  name: "delete-task-reminder",
  text: "DELETE FROM task_reminders WHERE id = $1 AND task_id = $2 AND user_id = $3",
});

/** Returns false if the person has no such reminder. */
export async function deleteReminder(db: Queryable, id: string, taskId: string, userId: string): Promise<boolean> {
  return (await deletedReminder.run(db, [id, taskId, userId])) === 1;
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

const FIRED = { ...DELIVERED, userId: column.uuid, isOpen: column.boolean.neverNull };
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
    SET fired_at = now(), seen_at = CASE WHEN t.deleted_at IS NULL AND t.status <> 'done' THEN NULL ELSE now() END
    FROM due, tasks t WHERE r.id = due.id AND t.id = r.task_id
    RETURNING r.id, t.id AS "taskId", t.title, t.status, t.due_date AS "dueDate", t.due_time AS "dueTime", r.fires_at AS at,
      ${IS_LATE} AS "isLate", r.user_id AS "userId", t.deleted_at IS NULL AND t.status <> 'done' AS "isOpen"`,
});

/** Takes the reminders whose time has come, so that no other process does, by the clock of the database. */
export function fireReminders(db: Queryable, limit: number): Promise<FiredReminder[]> {
  return fired.all(db, [limit]);
}
