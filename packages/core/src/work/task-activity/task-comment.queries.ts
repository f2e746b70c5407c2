import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import type { Mentionable } from "./mentions.ts";
import type { TaskComment } from "./task-activity.schema.ts";

const MAX_MENTIONABLE = 5_000;

const STORED = {
  id: column.uuid,
  createdAt: column.timestamp,
  author: column.json.as<Author>(),
  text: column.text,
  mentions: column.json.as<Mentionable[]>(),
  editedAt: column.timestamp.nullable,
};
const COLUMNS = `c.id, c.created_at AS "createdAt", c.author, c.text, c.mentions, c.edited_at AS "editedAt"`;

const TASK_TITLE = { taskTitle: column.text };
export type StoredComment = RowOf<typeof STORED & typeof TASK_TITLE>;

const mentionable = defineQuery({
  name: "select-mentionable",
  row: {
    kind: column.text.as<Mentionable["kind"]>().neverNull,
    id: column.uuid.neverNull,
    name: column.text.neverNull,
  },
  text: `
    SELECT kind, id, name FROM (
      SELECT 'user' AS kind, id, name FROM users UNION ALL SELECT 'agent', id, name FROM agents
    ) AS everybody ORDER BY lower(name), kind DESC, id LIMIT ${MAX_MENTIONABLE}`,
});

/** All users and agents, by name. */
export function selectMentionable(db: Queryable): Promise<Mentionable[]> {
  return mentionable.all(db);
}

const newComment = defineQuery({
  name: "insert-task-comment",
  row: { ...STORED, ...TASK_TITLE },
  text: `
    WITH task AS (SELECT id, title FROM tasks WHERE id = $2 AND deleted_at IS NULL),
    c AS (
      INSERT INTO task_comments (id, task_id, author, text, mentions, created_at)
      SELECT $1, id, $3, $4, $5, $6 FROM task ON CONFLICT (id) DO NOTHING RETURNING *
    )
    SELECT ${COLUMNS}, task.title AS "taskTitle" FROM c, task`,
});

/** Returns null and stores nothing if there is no such active task, or a comment with this id. */
export function insertComment(
  db: Queryable,
  comment: Pick<TaskComment, "id" | "author" | "text" | "mentions"> & { taskId: string; createdAt: Date },
): Promise<StoredComment | null> {
  const { id, taskId, author, text, mentions, createdAt } = comment;
  return newComment.first(db, [id, taskId, JSON.stringify(author), text, JSON.stringify(mentions), createdAt]);
}

const commentForUpdate = defineQuery({
  name: "select-task-comment-for-update",
  row: { ...STORED, ...TASK_TITLE },
  text: `
    SELECT ${COLUMNS}, t.title AS "taskTitle" FROM task_comments c JOIN tasks t ON t.id = c.task_id
    WHERE c.task_id = $1 AND c.id = $2 FOR UPDATE OF c`,
});

/** Locked until the transaction ends. */
export function selectCommentForUpdate(client: PoolClient, taskId: string, id: string): Promise<StoredComment | null> {
  return commentForUpdate.first(client, [taskId, id]);
}

const changedComment = defineCommand({
  name: "update-task-comment",
  text: "UPDATE task_comments SET text = $2, mentions = $3, edited_at = $4 WHERE id = $1",
});

export async function updateComment(
  client: PoolClient,
  { id, text, mentions, editedAt }: Pick<TaskComment, "id" | "text" | "mentions"> & { editedAt: Date },
): Promise<void> {
  await changedComment.run(client, [id, text, JSON.stringify(mentions), editedAt]);
}

const deletedComment = defineCommand({
  name: "delete-task-comment",
  text: "DELETE FROM task_comments WHERE id = $1",
});

export async function deleteComment(client: PoolClient, id: string): Promise<void> {
  await deletedComment.run(client, [id]);
}
