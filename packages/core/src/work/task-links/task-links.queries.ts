import { column, defineCommand, defineQuery, TaskLinkKind, type PoolClient, type Queryable } from "@workspace/db";
import type { RowOf } from "@workspace/db";
import type { NewTaskChange } from "../tasks/task-change.ts";
import { recordedIn, toChangeParameter } from "../tasks/task-change.queries.ts";
import { TASK_REF } from "../tasks/task.queries.ts";
import type { TaskRef } from "../tasks/task.schema.ts";

/** How many tasks concern one, and how many notes and conversations it refers to. */
export const MAX_LINKS = 100;

const parents = defineQuery({
  name: "select-task-parents",
  row: TASK_REF,
  text: `
    WITH RECURSIVE above AS (
      SELECT id, parent_id, 0 AS level FROM tasks WHERE id = $1
      UNION ALL SELECT t.id, t.parent_id, level + 1 FROM above JOIN tasks t ON t.id = above.parent_id
    )
    SELECT t.id, t.title, t.status FROM above JOIN tasks t USING (id)
    WHERE level > 0 AND t.deleted_at IS NULL ORDER BY level DESC`,
});

/** What a task is a subtask of, from the top. */
export function selectParents(db: Queryable, id: string): Promise<TaskRef[]> {
  return parents.all(db, [id]);
}

const directSubtasks = defineQuery({
  name: "select-direct-subtasks",
  row: TASK_REF,
  text: `
    SELECT id, title, status FROM tasks WHERE parent_id = $1 AND deleted_at IS NULL
    ORDER BY position, created_at, id LIMIT 500`,
});

/** The subtasks of a task in their order. */
export function selectDirectSubtasks(db: Queryable, id: string): Promise<TaskRef[]> {
  return directSubtasks.all(db, [id]);
}

const relatedTasks = defineQuery({
  name: "select-related-tasks",
  row: TASK_REF,
  text: `
    SELECT t.id, t.title, t.status FROM tasks t
    WHERE t.id IN (
      SELECT second_id FROM task_relations WHERE first_id = $1
      UNION ALL SELECT first_id FROM task_relations WHERE second_id = $1
    ) AND t.deleted_at IS NULL ORDER BY t.created_at, t.id`,
});

/** The tasks that concern one, without what is deleted. */
export function selectRelated(db: Queryable, id: string): Promise<TaskRef[]> {
  return relatedTasks.all(db, [id]);
}

const changedRelations = defineCommand({
  name: "change-task-relations",
  text: `
    WITH removed AS (
      DELETE FROM task_relations
      USING unnest($3::uuid[]) AS other
      WHERE first_id = LEAST($1::uuid, other) AND second_id = GREATEST($1::uuid, other)
    ),
    added AS (
      INSERT INTO task_relations (first_id, second_id)
      SELECT LEAST($1::uuid, other), GREATEST($1::uuid, other) FROM unnest($2::uuid[]) AS other ON CONFLICT DO NOTHING
    ),
    task AS (SELECT $1::uuid AS id),
    ${recordedIn({ parameter: "$4", changed: "task" })}
    SELECT`,
});

export interface ChangedIds {
  readonly id: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export async function changeRelations(
  client: PoolClient,
  { id, add, remove }: ChangedIds,
  change: NewTaskChange | null,
): Promise<void> {
  await changedRelations.run(client, [id, add, remove, toChangeParameter(change)]);
}

const TARGET = {
  kind: column.oneOf(TaskLinkKind).neverNull,
  id: column.uuid.neverNull,
  title: column.text.neverNull,
};
export type LinkTargetRow = RowOf<typeof TARGET>;

const targets = defineQuery({
  name: "select-task-link-targets",
  row: TARGET,
  text: `
    SELECT 'note'::task_link_kind AS kind, id, title FROM documents WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL
    UNION ALL SELECT 'conversation', id, title FROM conversations WHERE id = ANY($2::uuid[])`,
});

/** Those of the notes and conversations that exist. */
export function selectTargets(
  db: Queryable,
  { notes, conversations }: { notes: readonly string[]; conversations: readonly string[] },
): Promise<LinkTargetRow[]> {
  return targets.all(db, [notes, conversations]);
}

const NOTE_PATH = { id: column.uuid, path: column.text };
const notePaths = defineQuery({
  name: "select-paths-of-linked-notes",
  row: NOTE_PATH,
  text: `SELECT id, path FROM documents WHERE id = ANY($1::uuid[])`,
});

const NOTE_AT_PATH = { ...NOTE_PATH, title: column.text };
const notesAtPaths = defineQuery({
  name: "select-notes-at-paths",
  row: NOTE_AT_PATH,
  text: `SELECT id, path, title FROM documents WHERE path = ANY($1::text[]) AND deleted_at IS NULL`,
});

/** The notes that have these paths now. */
export function selectNotesAtPaths(db: Queryable, paths: readonly string[]): Promise<RowOf<typeof NOTE_AT_PATH>[]> {
  return notesAtPaths.all(db, [paths]);
}

/** The paths of the notes among these targets of links that are not gone for good. */
export function selectNotePaths(db: Queryable, targetIds: readonly string[]): Promise<RowOf<typeof NOTE_PATH>[]> {
  return notePaths.all(db, [targetIds]);
}

const LINK = {
  ...TARGET,
  path: column.text.nullable,
  isGone: column.boolean.neverNull,
  isSet: column.boolean,
  isNamed: column.boolean,
};
export type StoredLink = RowOf<typeof LINK>;

const links = defineQuery({
  name: "select-task-links",
  row: LINK,
  text: `
    SELECT l.kind, l.target_id AS id, COALESCE(d.title, c.title, l.title) AS title, d.path,
      (d.id IS NULL OR d.deleted_at IS NOT NULL) AND c.id IS NULL AS "isGone", l.is_set AS "isSet", l.is_named AS "isNamed"
    FROM task_links l
    LEFT JOIN documents d ON l.kind = 'note' AND d.id = l.target_id
    LEFT JOIN conversations c ON l.kind = 'conversation' AND c.id = l.target_id
    WHERE l.task_id = $1 ORDER BY l.created_at, l.target_id`,
});

/** What a task refers to, also what is gone. */
export function selectLinks(db: Queryable, taskId: string): Promise<StoredLink[]> {
  return links.all(db, [taskId]);
}

const changedLinks = defineCommand({
  name: "change-task-links",
  text: `
    WITH removed AS (
      DELETE FROM task_links WHERE task_id = $1 AND target_id = ANY($3::uuid[]) AND NOT is_named
    ),
    unset AS (
      UPDATE task_links SET is_set = false WHERE task_id = $1 AND target_id = ANY($3::uuid[]) AND is_named
    ),
    added AS (
      INSERT INTO task_links (task_id, kind, target_id, title, is_set, is_named, created_at)
      SELECT $1, kind, id, title, true, false, $4 FROM jsonb_to_recordset($2) AS t (kind task_link_kind, id uuid, title text)
      ON CONFLICT (task_id, kind, target_id) DO UPDATE SET is_set = true, title = EXCLUDED.title
    ),
    task AS (SELECT $1::uuid AS id),
    ${recordedIn({ parameter: "$5", changed: "task" })}
    SELECT`,
});

export async function changeLinks(
  client: PoolClient,
  { id, add, remove, at }: { id: string; add: readonly LinkTargetRow[]; remove: readonly string[]; at: Date },
  change: NewTaskChange | null,
): Promise<void> {
  await changedLinks.run(client, [id, JSON.stringify(add), remove, at, toChangeParameter(change)]);
}

const changedSessions = defineCommand({
  name: "change-sessions-of-task",
  text: `
    WITH removed AS (DELETE FROM task_sessions WHERE task_id = $1 AND session_id = ANY($3))
    INSERT INTO task_sessions (task_id, session_id, named_at)
    SELECT $1, wanted, $4 FROM unnest($2::text[]) AS wanted
    WHERE EXISTS (SELECT FROM hook_events e WHERE e.session_id = wanted) ON CONFLICT DO NOTHING`,
});

/** Returns how many sessions were added; one that is not known is not. */
export function changeSessions(
  client: PoolClient,
  { id, add, remove, at }: { id: string; add: readonly string[]; remove: readonly string[]; at: Date },
): Promise<number> {
  return changedSessions.run(client, [id, add, remove, at]);
}

const linkedTasks = defineQuery({
  name: "select-linked-tasks",
  row: TASK_REF,
  text: `
    SELECT t.id, t.title, t.status FROM task_links l JOIN tasks t ON t.id = l.task_id
    WHERE l.kind = $1::task_link_kind AND l.target_id = $2 AND t.deleted_at IS NULL
    ORDER BY t.status = 'done', t.created_at DESC, t.id LIMIT 200`,
});

const sessionTasks = defineQuery({
  name: "select-tasks-of-session",
  row: TASK_REF,
  text: `
    SELECT t.id, t.title, t.status FROM task_sessions s JOIN tasks t ON t.id = s.task_id
    WHERE s.session_id = $1 AND t.deleted_at IS NULL
    ORDER BY t.status = 'done', t.created_at DESC, t.id LIMIT 200`,
});

/** The active tasks that refer to a note or a conversation, open ones first. */
export function selectLinkedTasks(db: Queryable, kind: TaskLinkKind, targetId: string): Promise<TaskRef[]> {
  return linkedTasks.all(db, [kind, targetId]);
}

/** The active tasks that a session named or was linked to, open ones first. */
export function selectTasksOfSession(db: Queryable, sessionId: string): Promise<TaskRef[]> {
  return sessionTasks.all(db, [sessionId]);
}
