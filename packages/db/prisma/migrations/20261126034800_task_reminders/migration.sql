-- CreateTable
CREATE TABLE "task_reminders" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "minutes_before" INTEGER,
    "timezone" TEXT NOT NULL,
    "fires_at" TIMESTAMPTZ(3),
    "fired_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_reminders_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "task_reminders_task_id_idx" ON "task_reminders"("task_id");

-- CreateIndex
CREATE INDEX "task_reminders_user_id_fired_at_idx" ON "task_reminders"("user_id", "fired_at");

-- AddForeignKey
ALTER TABLE "task_reminders" ADD CONSTRAINT "task_reminders_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_reminders" ADD CONSTRAINT "task_reminders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is to be delivered next.
CREATE INDEX "task_reminders_due_idx" ON "task_reminders"("fires_at") WHERE "fired_at" IS NULL AND "fires_at" IS NOT NULL;

-- When a reminder is to be delivered; null if that has passed. A day without a time begins at 9:00. A zone that this database does
-- not know counts as UTC.
CREATE FUNCTION "task_reminder_time"(due_date text, due_time text, zone text, minutes_before integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
  due timestamptz;
BEGIN
  IF due_date IS NULL THEN RETURN NULL; END IF;
  IF due_date LIKE '%T%' THEN
    due := due_date::timestamptz;
  ELSE
    BEGIN
      due := (due_date || ' ' || COALESCE(due_time, '09:00'))::timestamp AT TIME ZONE zone;
    EXCEPTION WHEN invalid_parameter_value THEN
      due := (due_date || ' ' || COALESCE(due_time, '09:00'))::timestamp AT TIME ZONE 'UTC';
    END;
  END IF;
  due := due - minutes_before * interval '1 minute';
  RETURN CASE WHEN due > now() THEN due END;
EXCEPTION WHEN data_exception THEN
  -- A date that only others know, such as one of the year 0.
  RETURN NULL;
END $$;

CREATE FUNCTION "set_task_reminder_time"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.minutes_before IS NOT NULL THEN
    SELECT task_reminder_time(t.due_date, t.due_time, NEW.timezone, NEW.minutes_before) INTO NEW.fires_at
    FROM tasks t WHERE t.id = NEW.task_id;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "task_reminders_timed" BEFORE INSERT ON "task_reminders"
  FOR EACH ROW EXECUTE FUNCTION "set_task_reminder_time"();

CREATE FUNCTION "move_task_reminders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE task_reminders SET fired_at = NULL, seen_at = NULL,
    fires_at = task_reminder_time(NEW.due_date, NEW.due_time, timezone, minutes_before)
  WHERE task_id = NEW.id AND minutes_before IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER "tasks_due_moved" AFTER UPDATE OF "due_date", "due_time" ON "tasks"
  FOR EACH ROW WHEN (OLD.due_date IS DISTINCT FROM NEW.due_date OR OLD.due_time IS DISTINCT FROM NEW.due_time)
  EXECUTE FUNCTION "move_task_reminders"();
