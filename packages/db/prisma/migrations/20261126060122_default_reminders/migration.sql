-- AlterTable
ALTER TABLE "task_reminders" ADD COLUMN     "is_default" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "push_at" TIMESTAMPTZ(3),
ADD COLUMN     "push_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "push_targets" UUID[];

-- CreateTable
CREATE TABLE "task_reminder_defaults" (
    "user_id" UUID NOT NULL,
    "minutes_before" INTEGER,
    "day_time" TIME(0),
    "timezone" TEXT NOT NULL,

    CONSTRAINT "task_reminder_defaults_pkey" PRIMARY KEY ("user_id")
);

-- AddForeignKey
ALTER TABLE "task_reminder_defaults" ADD CONSTRAINT "task_reminder_defaults_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- How long before a due date a default reminder is; negative for a time of day after 9:00, which a day counts as. Null for none.
CREATE FUNCTION "default_reminder_minutes"(due_date text, due_time text, minutes_before integer, day_time time) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN due_date IS NULL THEN NULL
    WHEN due_date LIKE '%T%' OR due_time IS NOT NULL THEN minutes_before
    ELSE 9 * 60 - extract(epoch FROM day_time)::integer / 60 END
$$;

-- Whether a task is a person's own: handed to the person or, if to nobody, created by the person.
CREATE FUNCTION "is_own_task"(assignee jsonb, creator_id uuid, user_id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN assignee IS NULL OR assignee = 'null' THEN creator_id = user_id
    ELSE assignee ->> 'kind' = 'person' AND assignee ->> 'id' = user_id::text END
$$;

-- Whoever has deleted a default reminder gets it again only if the task is due anew.
CREATE FUNCTION "give_default_reminders"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_new boolean := TG_OP = 'INSERT';
BEGIN
  IF NOT is_new THEN
    is_new := OLD.due_date IS NULL OR OLD.assignee IS DISTINCT FROM NEW.assignee
      OR (OLD.due_date LIKE '%T%' OR OLD.due_time IS NOT NULL) <> (NEW.due_date LIKE '%T%' OR NEW.due_time IS NOT NULL);
    IF is_new THEN
      DELETE FROM task_reminders WHERE task_id = NEW.id AND is_default AND fired_at IS NULL;
    END IF;
  END IF;
  IF is_new AND NEW.due_date IS NOT NULL AND NEW.status <> 'done' THEN
    INSERT INTO task_reminders (id, task_id, user_id, minutes_before, timezone, is_default, created_at)
    SELECT gen_random_uuid(), NEW.id, d.user_id, default_reminder_minutes(NEW.due_date, NEW.due_time, d.minutes_before, d.day_time),
      d.timezone, true, now()
    FROM task_reminder_defaults d
    WHERE default_reminder_minutes(NEW.due_date, NEW.due_time, d.minutes_before, d.day_time) IS NOT NULL
      AND is_own_task(NEW.assignee, NEW.creator_id, d.user_id)
      AND NOT EXISTS (SELECT FROM task_reminders r WHERE r.task_id = NEW.id AND r.user_id = d.user_id AND r.is_default);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "tasks_created_due" AFTER INSERT ON "tasks"
  FOR EACH ROW WHEN (NEW.due_date IS NOT NULL) EXECUTE FUNCTION "give_default_reminders"();

-- Its name puts it before tasks_due_moved, which finds the times.
CREATE TRIGGER "tasks_due_changed" AFTER UPDATE OF "due_date", "due_time", "assignee" ON "tasks"
  FOR EACH ROW WHEN (OLD.due_date IS DISTINCT FROM NEW.due_date OR OLD.due_time IS DISTINCT FROM NEW.due_time
    OR OLD.assignee IS DISTINCT FROM NEW.assignee)
  EXECUTE FUNCTION "give_default_reminders"();

-- As before; nothing is sent any more about the former time.
CREATE OR REPLACE FUNCTION "move_task_reminders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE task_reminders SET fired_at = NULL, seen_at = NULL, push_at = NULL, push_attempts = 0, push_targets = '{}',
    fires_at = task_reminder_time(NEW.due_date, NEW.due_time, timezone, minutes_before)
  WHERE task_id = NEW.id AND minutes_before IS NOT NULL;
  RETURN NULL;
END $$;

CREATE INDEX "task_reminders_push_idx" ON "task_reminders"("push_at") WHERE "push_at" IS NOT NULL;
