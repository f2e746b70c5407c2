import { column, defineQuery, TaskStatus, type PoolClient, type Queryable } from "@workspace/db";
import type { RowOf } from "@workspace/db";

/** More levels than anybody can read; the queue looks at all that are above a task. */
export const MAX_LEVELS = 8;
/** How many tasks one has below it, on all levels. */
export const MAX_TREE = 500;

const treeSize = defineQuery({
  name: "select-task-tree-size",
  row: {
    levelsAbove: column.integer.neverNull,
    levelsBelow: column.integer.neverNull,
    tasksBelow: column.integer.neverNull,
    tasksInTree: column.integer.neverNull,
  },
  text: `
    WITH RECURSIVE above (id, parent_id, level) AS (
      SELECT id, parent_id, 1 FROM tasks WHERE id = $1
      UNION ALL SELECT t.id, t.parent_id, level + 1 FROM above JOIN tasks t ON t.id = above.parent_id
    ),
    below (id, level) AS (
      SELECT $2::uuid, 1 UNION ALL SELECT t.id, level + 1 FROM below JOIN tasks t ON t.parent_id = below.id
    ),
    tree (id) AS (
      SELECT id FROM above WHERE parent_id IS NULL UNION ALL SELECT t.id FROM tree JOIN tasks t ON t.parent_id = tree.id
    )
    SELECT (SELECT count(*) FROM above)::int AS "levelsAbove", (SELECT max(level) FROM below)::int AS "levelsBelow",
      (SELECT count(*) FROM below)::int AS "tasksBelow", (SELECT count(*) FROM tree)::int AS "tasksInTree"`,
});

/** How large the tree would be if the task became a subtask of the parent; the parent must not be below the task. */
export function selectTreeSize(
  db: Queryable,
  { parentId, id }: { parentId: string; id: string },
): Promise<{ levelsAbove: number; levelsBelow: number; tasksBelow: number; tasksInTree: number }> {
  return treeSize.one(db, [parentId, id]);
}

const PARENT = {
  id: column.uuid,
  projectId: column.uuid.nullable,
  deletedAt: column.timestamp.nullable,
};

const parent = defineQuery({
  name: "select-task-parent",
  row: PARENT,
  text: `SELECT id, project_id AS "projectId", deleted_at AS "deletedAt" FROM tasks WHERE id = $1 FOR SHARE`,
});

/** A task that is to have a subtask, so that nobody deletes it meanwhile. */
export function selectParent(client: PoolClient, id: string): Promise<RowOf<typeof PARENT> | null> {
  return parent.first(client, [id]);
}

const SUBTASK = {
  id: column.uuid.neverNull,
  title: column.text.neverNull,
  status: column.oneOf(TaskStatus).neverNull,
  projectId: column.uuid.nullable,
  deletedAt: column.timestamp.nullable,
};
export type Subtask = RowOf<typeof SUBTASK>;

const subtasks = defineQuery({
  name: "select-all-subtasks",
  row: SUBTASK,
  isPrepared: true,
  text: `
    WITH RECURSIVE below AS (
      SELECT id, title, status, project_id, deleted_at, 1 AS level FROM tasks WHERE parent_id = $1
      UNION ALL
      SELECT t.id, t.title, t.status, t.project_id, t.deleted_at, level + 1 FROM below JOIN tasks t ON t.parent_id = below.id
    )
    SELECT id, title, status, project_id AS "projectId", deleted_at AS "deletedAt" FROM below ORDER BY level, id`,
});

/** The subtasks of a task on all levels, also deleted ones, those that are nearer first. */
export function selectSubtasks(db: Queryable, id: string): Promise<Subtask[]> {
  return subtasks.all(db, [id]);
}
