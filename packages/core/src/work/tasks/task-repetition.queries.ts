import { column, defineCommand, defineQuery, type PoolClient } from "@workspace/db";

const next = defineCommand({ name: "set-next-task", text: "UPDATE tasks SET next_id = $2 WHERE id = $1" });

/** Records which task follows one. */
export async function setNextTask(client: PoolClient, id: string, nextId: string | null): Promise<void> {
  await next.run(client, [id, nextId]);
}

const repeated = defineCommand({
  name: "complete-repeated-task",
  text: `
    UPDATE tasks t SET position = done.position, checklist_total = done.checklist_total,
      checklist = COALESCE((SELECT jsonb_agg(item || '{"isDone": false}' ORDER BY number)
        FROM jsonb_array_elements(done.checklist) WITH ORDINALITY AS items (item, number)), '[]')
    FROM unnest($1::uuid[], $2::uuid[]) AS copied (done_id, id) JOIN tasks done ON done.id = copied.done_id
    WHERE t.id = copied.id`,
});

/** The tasks that are repeated, and for each the id of the one that follows it. */
export type Copies = ReadonlyMap<string, string>;

/** Gives new tasks the place and the checklist, with nothing done, of those that they follow. */
export async function copyPlaceAndChecklist(client: PoolClient, copies: Copies): Promise<void> {
  await repeated.run(client, [[...copies.keys()], [...copies.values()]]);
}

const copiedReminders = defineCommand({
  name: "insert-repeated-reminders",
  text: `
    INSERT INTO task_reminders (id, task_id, user_id, minutes_before, timezone, created_at)
    SELECT gen_random_uuid(), copied.id, r.user_id, r.minutes_before, r.timezone, now()
    FROM unnest($1::uuid[], $2::uuid[]) AS copied (done_id, id) JOIN task_reminders r ON r.task_id = copied.done_id
    -- Default ones come with the due date.
    WHERE r.minutes_before IS NOT NULL AND NOT r.is_default`,
});

/** Gives new tasks the reminders of those that they follow, as long before their own dates. */
export async function copyReminders(client: PoolClient, copies: Copies): Promise<void> {
  await copiedReminders.run(client, [[...copies.keys()], [...copies.values()]]);
}

const subtasks = defineCommand({
  name: "insert-repeated-subtasks",
  text: `
    WITH copied AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS copied (done_id, id)),
    root AS (SELECT done.project_id AS done_project_id, t.project_id FROM tasks t, tasks done WHERE t.id = $3 AND done.id = $4)
    INSERT INTO tasks (id, title, description, status, priority, project_id, due_date, due_time, tags, modified_at, search_text,
      parent_id, repeat_rule, repeat_from, repeat_timezone, creator_id, created_at, author)
    SELECT copied.id, done.title, done.description, 'todo', done.priority,
      CASE WHEN done.project_id IS DISTINCT FROM root.done_project_id THEN done.project_id ELSE root.project_id END,
      CASE WHEN done.due_date LIKE '%T%'
        THEN to_char((done.due_date::timestamptz + $5::integer * interval '1 day') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ELSE to_char(done.due_date::date + $5::integer, 'YYYY-MM-DD') END,
      done.due_time, done.tags, $6, done.search_text, parent.id, done.repeat_rule, done.repeat_from, done.repeat_timezone,
      done.creator_id, $6, $7::jsonb
    FROM copied JOIN tasks done ON done.id = copied.done_id JOIN copied parent ON parent.done_id = done.parent_id CROSS JOIN root`,
});

/** Stores the subtasks of a task that follows another: copies of the other's, due as many days later as the task itself. */
export async function insertRepeatedSubtasks(
  client: PoolClient,
  {
    copies,
    id,
    doneId,
    days,
    createdAt,
    author,
  }: {
    copies: Copies;
    id: string;
    doneId: string;
    days: number;
    createdAt: Date;
    author: object;
  },
): Promise<void> {
  const ids = [[...copies.keys()], [...copies.values()]];
  await subtasks.run(client, [...ids, id, doneId, days, createdAt, JSON.stringify(author)]);
}

const deletedUntouched = defineQuery({
  name: "delete-untouched-tasks",
  row: { id: column.uuid, title: column.text },
  text: `
    WITH RECURSIVE tree (id) AS (
      SELECT $1::uuid UNION ALL SELECT t.id FROM tree JOIN tasks t ON t.parent_id = tree.id
    ),
    locked AS (SELECT t.id, t.version, t.status FROM tasks t JOIN tree USING (id) ORDER BY t.id FOR UPDATE OF t)
    DELETE FROM tasks USING locked
    WHERE tasks.id = locked.id AND NOT EXISTS (
      SELECT FROM locked l WHERE l.version <> 1 OR l.status <> 'todo'
        OR EXISTS (SELECT FROM task_comments c WHERE c.task_id = l.id)
        OR EXISTS (SELECT FROM task_changes c WHERE c.task_id = l.id)
        OR EXISTS (SELECT FROM task_blocks b WHERE l.id IN (b.task_id, b.blocker_id)))
    RETURNING tasks.id, tasks.title`,
});

/** Deletes a task with its subtasks for good, if nobody has changed or commented on any of them since they were created. */
export function deleteUntouchedTasks(client: PoolClient, id: string): Promise<{ id: string; title: string }[]> {
  return deletedUntouched.all(client, [id]);
}
