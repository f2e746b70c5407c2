import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import type { ReminderDefault } from "./task-reminder.schema.ts";

const reminderDefault = defineQuery({
  name: "select-reminder-default",
  row: { minutesBefore: column.integer.nullable, dayTime: column.text.nullable, timezone: column.text },
  text: `
    SELECT minutes_before AS "minutesBefore", to_char(day_time, 'HH24:MI') AS "dayTime", timezone
    FROM task_reminder_defaults WHERE user_id = $1`,
});

/** Null if the person has never set one. */
export function selectReminderDefault(db: Queryable, userId: string): Promise<ReminderDefault | null> {
  return reminderDefault.first(db, [userId]);
}

const changedDefault = defineCommand({
  name: "put-reminder-default",
  text: `
    INSERT INTO task_reminder_defaults (user_id, minutes_before, day_time, timezone) VALUES ($1, $2, $3, $4)
    ON CONFLICT (user_id) DO UPDATE SET minutes_before = $2, day_time = $3, timezone = $4`,
});

const formerReminders = defineCommand({
  name: "delete-default-reminders",
  // Those that the person has removed have no minutes; they stay, so that the new default does not bring them back.
  text: "DELETE FROM task_reminders WHERE user_id = $1 AND is_default AND fired_at IS NULL AND minutes_before IS NOT NULL",
});

const newReminders = defineCommand({
  name: "insert-default-reminders",
  text: `
    INSERT INTO task_reminders (id, task_id, user_id, minutes_before, timezone, is_default, created_at)
    SELECT gen_random_uuid(), t.id, d.user_id, m.minutes, d.timezone, true, now()
    FROM task_reminder_defaults d
    JOIN tasks t ON t.deleted_at IS NULL AND t.status <> 'done' AND t.due_date IS NOT NULL
      AND is_own_task(t.assignee, t.creator_id, d.user_id)
    CROSS JOIN LATERAL (
      SELECT default_reminder_minutes(t.due_date, t.due_time, d.minutes_before, d.day_time) AS minutes
    ) AS m
    WHERE d.user_id = $1 AND task_reminder_time(t.due_date, t.due_time, d.timezone, m.minutes) IS NOT NULL
      AND NOT EXISTS (SELECT FROM task_reminders r WHERE r.task_id = t.id AND r.user_id = d.user_id AND r.is_default)`,
});

/** Stores a person's default, in place of the former one also for the tasks that are due already. To be called in a transaction. */
export async function putReminderDefault(
  db: Queryable,
  userId: string,
  { minutesBefore, dayTime, timezone }: ReminderDefault,
): Promise<void> {
  await changedDefault.run(db, [userId, minutesBefore, dayTime, timezone]);
  await formerReminders.run(db, [userId]);
  await newReminders.run(db, [userId]);
}
