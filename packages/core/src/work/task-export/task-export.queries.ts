import { column, defineQuery, TaskStatus, type Queryable, type RowOf } from "@workspace/db";
import type { ExportedTask } from "./exported-task.schema.ts";

const EXPORTED = {
  id: column.uuid,
  title: column.text,
  description: column.text.nullable,
  status: column.oneOf(TaskStatus),
  priority: column.integer,
  project: column.text.nullable,
  dueDate: column.text.nullable,
  dueTime: column.text.nullable,
  repeat: column.text.nullable,
  repeatFrom: column.text.as<ExportedTask["repeatFrom"]>(),
  repeatTimezone: column.text.nullable,
  snoozedUntil: column.timestamp.nullable,
  tags: column.texts.neverNull,
  parentId: column.uuid.nullable,
  blockedBy: column.uuids.neverNull,
  relatesTo: column.uuids.neverNull,
  notes: column.texts.neverNull,
  checklist: column.json.as<ExportedTask["checklist"]>().neverNull,
  comments: column.json.as<ExportedTask["comments"]>().neverNull,
  reminders: column.json.as<ExportedTask["reminders"]>().neverNull,
  position: column.text,
  createdAt: column.timestamp,
  modifiedAt: column.timestamp,
  completedAt: column.timestamp.nullable,
};
export type ExportedTaskRow = RowOf<typeof EXPORTED>;

const exported = defineQuery({
  name: "select-exported-tasks",
  row: EXPORTED,
  text: `
    SELECT t.id, t.title, t.description, t.status, t.priority, p.name AS project, t.due_date AS "dueDate", t.due_time AS "dueTime",
      t.repeat_rule AS repeat, t.repeat_from AS "repeatFrom", t.repeat_timezone AS "repeatTimezone",
      t.snoozed_until AS "snoozedUntil", t.tags, t.parent_id AS "parentId",
      ARRAY(SELECT b.blocker_id FROM task_blocks b WHERE b.task_id = t.id ORDER BY b.blocker_id) AS "blockedBy",
      ARRAY(
        SELECT r.second_id FROM task_relations r WHERE r.first_id = t.id
        UNION SELECT r.first_id FROM task_relations r WHERE r.second_id = t.id ORDER BY 1
      ) AS "relatesTo",
      ARRAY(
        SELECT d.path FROM task_links l JOIN documents d ON d.id = l.target_id AND d.deleted_at IS NULL
        WHERE l.task_id = t.id AND l.kind = 'note' AND l.is_set ORDER BY l.created_at, d.path
      ) AS notes,
      (
        SELECT COALESCE(jsonb_agg(jsonb_build_object('text', item -> 'text', 'isDone', item -> 'isDone') ORDER BY place), '[]')
        FROM jsonb_array_elements(t.checklist) WITH ORDINALITY AS items (item, place)
      ) AS checklist,
      (
        SELECT COALESCE(jsonb_agg(jsonb_build_object('author', c.author -> 'name', 'text', c.text, 'createdAt', c.created_at)
          ORDER BY c.created_at, c.id), '[]')
        FROM task_comments c WHERE c.task_id = t.id
      ) AS comments,
      (
        SELECT COALESCE(jsonb_agg(jsonb_build_object('minutesBefore', r.minutes_before,
          'at', CASE WHEN r.minutes_before IS NULL THEN r.fires_at END) ORDER BY r.created_at, r.id), '[]')
        FROM task_reminders r
        WHERE r.task_id = t.id AND r.user_id = $1 AND r.fired_at IS NULL AND NOT r.is_default
          AND (r.minutes_before IS NOT NULL OR r.fires_at IS NOT NULL)
      ) AS reminders,
      t.position, t.created_at AS "createdAt", t.modified_at AS "modifiedAt", t.completed_at AS "completedAt"
    FROM tasks t LEFT JOIN projects p ON p.id = t.project_id AND p.deleted_at IS NULL
    WHERE t.deleted_at IS NULL AND ($2::uuid IS NULL OR t.id > $2) ORDER BY t.id LIMIT $3`,
});

const PAGE = 500;

/** All tasks that are not deleted, by id, with the reminders of a person. */
export async function* selectExportedTasks(db: Queryable, userId: string): AsyncGenerator<ExportedTaskRow> {
  let after: string | null = null;
  for (;;) {
    const page: readonly ExportedTaskRow[] = await exported.all(db, [userId, after, PAGE]);
    yield* page;
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return;
  }
}
