import { column, defineCommand, defineQuery, TaskStatus, type Pool, type PoolClient } from "@workspace/db";
import type { RowOf } from "@workspace/db";
import type { RepeatOrigin } from "../recurrence/repeated-due.ts";

/** Which collection a task is in: that of its project, unless that is deleted. Null for the tasks without a project. */
const COLLECTION = `CASE WHEN p.deleted_at IS NULL THEN t.project_id END`;
const IN_COLLECTION = `(CASE WHEN $1::uuid IS NULL THEN t.project_id IS NULL OR p.deleted_at IS NOT NULL
  ELSE t.project_id = $1 AND p.deleted_at IS NULL END)`;
const JOINS = `LEFT JOIN projects p ON p.id = t.project_id LEFT JOIN task_calendar_objects o ON o.task_id = t.id`;
const NAME = `COALESCE(o.name, t.id || '.ics')`;
const TAG = `t.version || '-' || COALESCE(o.revision, 0)`;
/** Changes with each change of a task, also with its deletion and with its move elsewhere. */
const STATE = `concat_ws('-', count(t.id), sum(t.version) + sum(COALESCE(o.revision, 0)), extract(epoch FROM max(t.modified_at)))`;

const COLLECTION_ROW = {
  /** Null for the one of the tasks without a project. */
  id: column.uuid.nullable,
  name: column.text.nullable,
  color: column.text.nullable,
  state: column.text.neverNull,
};
export type TaskCollection = RowOf<typeof COLLECTION_ROW>;

const collections = defineQuery({
  name: "select-task-collections",
  row: COLLECTION_ROW,
  text: `
    WITH states AS (
      SELECT ${COLLECTION} AS id, ${STATE} AS state FROM tasks t ${JOINS} WHERE t.deleted_at IS NULL GROUP BY 1
    ), named AS (
      SELECT id, name, color FROM projects WHERE deleted_at IS NULL
      UNION ALL SELECT NULL, NULL, NULL
    )
    SELECT named.id, named.name, named.color, COALESCE(states.state, '0') AS state
    FROM named LEFT JOIN states ON states.id IS NOT DISTINCT FROM named.id
    WHERE NOT $1 OR named.id IS NOT DISTINCT FROM $2
    ORDER BY named.id IS NOT NULL, named.name COLLATE "und-x-icu", named.id LIMIT 1000`,
});

/** The one without a project first, then by name. */
export function selectTaskCollections(pool: Pool): Promise<TaskCollection[]> {
  return collections.all(pool, [false, null]);
}

/** Returns null if there is no such project, or it is deleted. */
export function selectTaskCollection(pool: Pool, id: string | null): Promise<TaskCollection | null> {
  return collections.first(pool, [true, id]);
}

const ENTRY = { name: column.text.neverNull, tag: column.text.neverNull, modifiedAt: column.timestamp };
export type ObjectEntry = RowOf<typeof ENTRY>;

const entries = defineQuery({
  name: "select-calendar-object-entries",
  row: ENTRY,
  text: `
    SELECT ${NAME} AS name, ${TAG} AS tag, t.modified_at AS "modifiedAt" FROM tasks t ${JOINS}
    WHERE t.deleted_at IS NULL AND ${IN_COLLECTION}
    ORDER BY (t.status = 'done'), t.modified_at DESC, t.id LIMIT $2`,
});

/** Those to do before those done, the ones changed last first. */
export function selectObjectEntries(pool: Pool, collectionId: string | null, limit: number): Promise<ObjectEntry[]> {
  return entries.all(pool, [collectionId, limit]);
}

const OBJECT = {
  ...ENTRY,
  id: column.uuid,
  version: column.integer,
  title: column.text,
  description: column.text.nullable,
  status: column.oneOf(TaskStatus),
  priority: column.integer,
  dueDate: column.text.nullable,
  dueTime: column.text.nullable,
  tags: column.texts.neverNull,
  completedAt: column.timestamp.nullable,
  createdAt: column.timestamp,
  repeat: column.text.nullable,
  repeatFrom: column.text.as<RepeatOrigin>(),
  parentId: column.uuid.nullable,
  /** The UID of the task that it is a subtask of, or shall be. */
  parentUid: column.text.nullable,
  uid: column.text.neverNull,
  written: column.text.nullable,
  revision: column.integer.neverNull,
};
export type StoredObject = RowOf<typeof OBJECT>;

const OBJECT_COLUMNS = `
  ${NAME} AS name, ${TAG} AS tag, t.id, t.version, t.title, t.description, t.status, t.priority, t.due_date AS "dueDate",
  t.due_time AS "dueTime", t.tags, t.completed_at AS "completedAt", t.created_at AS "createdAt",
  t.modified_at AS "modifiedAt", t.parent_id AS "parentId", t.repeat_rule AS repeat,
  t.repeat_from AS "repeatFrom", COALESCE(po.uid, t.parent_id::text, o.parent_uid) AS "parentUid",
  COALESCE(o.uid, t.id::text) AS uid, o.text AS written, COALESCE(o.revision, 0) AS revision`;

const objects = defineQuery({
  name: "select-calendar-objects",
  row: OBJECT,
  text: `
    SELECT ${OBJECT_COLUMNS} FROM tasks t ${JOINS} LEFT JOIN task_calendar_objects po ON po.task_id = t.parent_id
    WHERE t.id IN (
      SELECT task_id FROM task_calendar_objects WHERE name = ANY($2)
      UNION ALL SELECT id FROM tasks WHERE id = ANY($3::uuid[]) AND id NOT IN (SELECT task_id FROM task_calendar_objects)
    ) AND t.deleted_at IS NULL AND ${IN_COLLECTION}`,
});

/** Those with these names; `ids` are those of the names that are made of one. */
export function selectObjects(
  pool: Pool,
  collectionId: string | null,
  { names, ids }: { names: readonly string[]; ids: readonly string[] },
): Promise<StoredObject[]> {
  return objects.all(pool, [collectionId, names, ids]);
}

const objectByTask = defineQuery({
  name: "select-calendar-object-of-task",
  row: OBJECT,
  text: `
    SELECT ${OBJECT_COLUMNS} FROM tasks t ${JOINS} LEFT JOIN task_calendar_objects po ON po.task_id = t.parent_id
    WHERE t.id = $1`,
});

/** Of a task that exists. */
export function selectObjectOfTask(pool: Pool, taskId: string): Promise<StoredObject> {
  return objectByTask.one(pool, [taskId]);
}

const OWNER = {
  id: column.uuid,
  version: column.integer,
  isDeleted: column.boolean.neverNull,
  collectionId: column.uuid.nullable,
  name: column.text.neverNull,
};
/** The task that a program calls by a UID. */
export type UidOwner = RowOf<typeof OWNER>;

const uidOwner = defineQuery({
  name: "select-calendar-object-owner",
  row: OWNER,
  text: `
    SELECT t.id, t.version, t.deleted_at IS NOT NULL AS "isDeleted", ${COLLECTION} AS "collectionId", ${NAME} AS name
    FROM tasks t ${JOINS} WHERE t.id = COALESCE(
      (SELECT task_id FROM task_calendar_objects WHERE uid = $1),
      (SELECT id FROM tasks WHERE id = $2 AND id NOT IN (SELECT task_id FROM task_calendar_objects WHERE task_id = $2)))`,
});

/** The task with this UID, deleted or not; `id` is the UID if it is that of a task. */
export function selectUidOwner(
  db: Pool | PoolClient,
  { uid, id }: { uid: string; id: string | null },
): Promise<UidOwner | null> {
  return uidOwner.first(db, [uid, id]);
}

export interface WrittenObject {
  readonly taskId: string;
  readonly uid: string;
  readonly name: string;
  readonly text: string;
  readonly parentUid: string | null;
}

const freedName = defineCommand({
  name: "free-calendar-object-name",
  text: `
    UPDATE task_calendar_objects o SET name = o.task_id || '.ics' FROM tasks t
    WHERE o.name = $1 AND o.task_id <> $2 AND t.id = o.task_id AND t.deleted_at IS NOT NULL`,
});

const nameTaken = defineQuery({
  name: "select-is-calendar-object-name-taken",
  row: { isTaken: column.boolean.neverNull },
  text: `
    SELECT EXISTS (SELECT FROM task_calendar_objects WHERE name = $1 AND task_id <> $2)
      OR EXISTS (SELECT FROM tasks WHERE id = $3 AND id <> $2) AS "isTaken"`,
});

/**
 * Whether another task has this name; one that is deleted gives it up. `id` is that of the task by which the name is made, if it
 * is.
 */
export async function isNameTaken(
  client: PoolClient,
  { name, taskId, id }: { name: string; taskId: string; id: string | null },
): Promise<boolean> {
  await freedName.run(client, [name, taskId]);
  return (await nameTaken.one(client, [name, taskId, id])).isTaken;
}

const putObject = defineQuery({
  name: "put-calendar-object",
  row: { taskId: column.uuid },
  text: `
    INSERT INTO task_calendar_objects AS o (task_id, uid, name, text, parent_uid) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (task_id) DO UPDATE SET uid = $2, name = $3, text = $4, parent_uid = $5, revision = o.revision + 1
    WHERE o.revision = $6
    RETURNING task_id AS "taskId"`,
});

/** Stores what a program has written, if nothing was written since the given revision. Returns whether it is stored. */
export async function putCalendarObject(client: PoolClient, object: WrittenObject, revision: number): Promise<boolean> {
  const { taskId, uid, name, text, parentUid } = object;
  return (await putObject.first(client, [taskId, uid, name, text, parentUid, revision])) !== null;
}

const orphans = defineQuery({
  name: "select-orphaned-calendar-objects",
  row: { id: column.uuid },
  text: `
    SELECT t.id FROM task_calendar_objects o JOIN tasks t ON t.id = o.task_id
    WHERE o.parent_uid = $1 AND t.parent_id IS NULL AND t.deleted_at IS NULL LIMIT 100`,
});

/** The tasks that shall be subtasks of the one with this UID. */
export async function selectOrphans(pool: Pool, parentUid: string): Promise<string[]> {
  return (await orphans.all(pool, [parentUid])).map(({ id }) => id);
}
