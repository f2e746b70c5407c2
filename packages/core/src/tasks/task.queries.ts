import type { Pool, PoolClient } from "@workspace/db";
import type { ListTasks, Task } from "./task.schema.ts";
import type { TaskStatus } from "./task-status.ts";
import type { ExpectedVersions } from "../platform/entity-version.ts";
import { toSearchPattern } from "../platform/fold-text.ts";

type Queryable = Pool | PoolClient;

interface TaskRow extends Omit<Task, "project" | "creator" | "version"> {
  version: number;
  projectName: string | null;
  projectColor: string | null;
  creatorId: string;
  creatorName: string;
}

/** A task's own columns as stored; what an update starts from. */
export interface StoredTask {
  id: string;
  title: string;
  description: string | null;
  status: TaskStatus;
  priority: number;
  projectId: string | null;
  dueDate: string | null;
  tags: string[];
  completedAt: string | null;
  deletedAt: string | null;
  version: number;
}

/** What is written when a task is made or changed. */
export interface TaskValues extends Omit<StoredTask, "completedAt" | "deletedAt" | "version"> {
  completedAt: Date | null;
  modifiedAt: Date;
  searchText: string;
}

const OWN_COLUMNS = `
  t.id, t.title, t.description, t.status, t.priority, t.project_id AS "projectId", t.due_date AS "dueDate", t.tags,
  t.completed_at AS "completedAt", t.deleted_at AS "deletedAt", t.version`;

const COLUMNS = `${OWN_COLUMNS}, t.created_at AS "createdAt", t.modified_at AS "modifiedAt",
  p.name AS "projectName", p.color AS "projectColor", t.creator_id AS "creatorId", u.name AS "creatorName"`;

const JOINS = `JOIN users u ON u.id = t.creator_id LEFT JOIN projects p ON p.id = t.project_id`;

export interface TaskListPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Tasks that match every filter, newest first, at most `limit`, after a position. */
export async function selectTasks(
  db: Queryable,
  filter: Omit<ListTasks, "limit" | "cursor">,
  page: { limit: number | undefined; after: TaskListPosition | undefined },
): Promise<Task[]> {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;

  if (filter.includeDeleted !== true) conditions.push("t.deleted_at IS NULL");
  if (filter.status !== undefined) conditions.push(`t.status = ANY(${bind(filter.status)}::task_status[])`);
  if (filter.projectId !== undefined) conditions.push(`t.project_id = ${bind(filter.projectId)}`);
  if (filter.search !== undefined && filter.search !== "") {
    conditions.push(`t.search_text LIKE ${bind(toSearchPattern(filter.search))}`);
  }
  if (page.after !== undefined) {
    conditions.push(
      `(t.created_at, t.id) < (${bind(page.after.createdAt)}::timestamptz, ${bind(page.after.id)}::uuid)`,
    );
  }
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const limit = page.limit === undefined ? "" : `LIMIT ${bind(page.limit)}`;
  const text = `SELECT ${COLUMNS} FROM tasks t ${JOINS} ${where} ORDER BY t.created_at DESC, t.id DESC ${limit}`;
  const { rows } = await db.query<TaskRow>(text, values);
  return rows.map(toTask);
}

/** One task, deleted or not; null where there is none. */
export async function selectTask(db: Queryable, id: string): Promise<Task | null> {
  const { rows } = await db.query<TaskRow>({
    name: "select-task",
    text: `SELECT ${COLUMNS} FROM tasks t ${JOINS} WHERE t.id = $1`,
    values: [id],
  });
  const [row] = rows;
  return row === undefined ? null : toTask(row);
}

/** A task's own columns, locked until the transaction ends. */
export async function selectTaskForUpdate(db: PoolClient, id: string): Promise<StoredTask | null> {
  const { rows } = await db.query<StoredTask>(`SELECT ${OWN_COLUMNS} FROM tasks t WHERE t.id = $1 FOR UPDATE`, [id]);
  return rows[0] ?? null;
}

/**
 * Stores a new task and answers it as a reader sees it. Null, and nothing is stored, where `projectId` names no active
 * project.
 */
export async function insertTask(
  db: Queryable,
  task: TaskValues & { creatorId: string; createdAt: Date },
): Promise<Task | null> {
  const { rows } = await db.query<TaskRow>({
    name: "insert-task",
    text: `
      WITH p AS (SELECT id, name, color FROM projects WHERE id = $6 AND deleted_at IS NULL),
      t AS (
        INSERT INTO tasks (id, title, description, status, priority, project_id, due_date, tags, completed_at,
                           modified_at, search_text, creator_id, created_at)
        SELECT $1, $2, $3, $4, $5, $6::uuid, $7, $8, $9, $10, $11, $12, $13
        WHERE $6::uuid IS NULL OR EXISTS (SELECT FROM p)
        RETURNING *
      )
      SELECT ${COLUMNS} FROM t JOIN users u ON u.id = t.creator_id LEFT JOIN p ON p.id = t.project_id`,
    values: [...ownValues(task), task.creatorId, task.createdAt],
  });
  const [row] = rows;
  return row === undefined ? null : toTask(row);
}

export async function updateTask(db: PoolClient, task: TaskValues): Promise<void> {
  await db.query(
    `UPDATE tasks SET title = $2, description = $3, status = $4, priority = $5, project_id = $6, due_date = $7, tags = $8,
       completed_at = $9, modified_at = $10, search_text = $11, version = version + 1
     WHERE id = $1`,
    ownValues(task),
  );
}

interface DeletionChange {
  readonly id: string;
  readonly title: string;
  readonly deletedAt: string | null;
  /** The version that the task had before. */
  readonly version: number;
  /** Whether the task was in the other state before, and had one of the expected versions. */
  readonly hasChanged: boolean;
}

/**
 * Marks a task as deleted or active, where it has one of the expected versions. Keeps the time of an earlier deletion. Null
 * where there is no such task.
 */
export async function setTaskDeletedAt(
  db: Queryable,
  { id, deletedAt, versions }: { id: string; deletedAt: Date | null; versions: ExpectedVersions },
): Promise<DeletionChange | null> {
  const { rows } = await db.query<DeletionChange>(
    `WITH before AS (SELECT id, title, deleted_at, version FROM tasks WHERE id = $1 FOR UPDATE),
     changed AS (
       UPDATE tasks t SET deleted_at = $2, version = t.version + 1 FROM before
       WHERE t.id = before.id AND (before.deleted_at IS NULL) <> ($2::timestamptz IS NULL)
         AND ($3::integer[] IS NULL OR before.version = ANY($3))
       RETURNING t.id, t.deleted_at
     )
     SELECT before.id, before.title, before.version, changed.id IS NOT NULL AS "hasChanged",
       CASE WHEN changed.id IS NULL THEN before.deleted_at ELSE changed.deleted_at END AS "deletedAt"
     FROM before LEFT JOIN changed ON true`,
    [id, deletedAt, versions],
  );
  return rows[0] ?? null;
}

/** The distinct tags of tasks that are not deleted, alphabetically. */
export async function selectTags(
  db: Queryable,
  { limit = null, after = [null] }: { limit: number | null | undefined; after: readonly [string | null] | undefined },
): Promise<string[]> {
  const { rows } = await db.query<{ tag: string }>(
    `SELECT tag FROM (SELECT DISTINCT unnest(tags) AS tag FROM tasks WHERE deleted_at IS NULL AND tags <> '{}') AS used
     WHERE $1::text IS NULL OR (tag COLLATE "und-x-icu", tag) > ($1 COLLATE "und-x-icu", $1)
     ORDER BY tag COLLATE "und-x-icu", tag LIMIT $2`,
    [...after, limit],
  );
  return rows.map((row) => row.tag);
}

export async function isActiveProject(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM projects WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE", [id]);
  return rowCount === 1;
}

function ownValues(task: TaskValues): unknown[] {
  return [
    task.id,
    task.title,
    task.description,
    task.status,
    task.priority,
    task.projectId,
    task.dueDate,
    task.tags,
    task.completedAt,
    task.modifiedAt,
    task.searchText,
  ];
}

/** Spelled out, because copying the rest of a row costs more than all else here. */
function toTask(row: TaskRow): Task {
  const { projectId, projectName, projectColor } = row;
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    projectId,
    project:
      projectId === null || projectName === null || projectColor === null
        ? null
        : { id: projectId, name: projectName, color: projectColor },
    creator: { id: row.creatorId, name: row.creatorName },
    dueDate: row.dueDate,
    tags: row.tags,
    completedAt: row.completedAt,
    deletedAt: row.deletedAt,
    createdAt: row.createdAt,
    modifiedAt: row.modifiedAt,
    version: String(row.version),
  };
}
