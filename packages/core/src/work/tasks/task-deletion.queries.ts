import { column, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import type { ExpectedVersions } from "../../platform/entity-version.ts";
import type { ChangeMark } from "./task-change.ts";
import { recordedIn, toChangeParameter } from "./task-change.queries.ts";

const DELETION_CHANGE = {
  id: column.uuid,
  title: column.text,
  deletedAt: column.timestamp.nullable,
  /** The previous version. */
  version: column.integer,
  deletedBefore: column.timestamp.nullable,
  /** Whether the task was in the other state and had one of the expected versions. */
  hasChanged: column.boolean.neverNull,
};

/** A time in JSON, in the form in which it is shown. */
const toJsonTime = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const changedDeletion = defineQuery({
  name: "set-task-deleted-at",
  row: DELETION_CHANGE,
  isPrepared: true,
  text: `
    WITH before AS (SELECT id, title, deleted_at, version FROM tasks WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE),
    changed AS (
      UPDATE tasks t SET deleted_at = $2, version = t.version + 1 FROM before
      WHERE t.id = before.id AND (before.deleted_at IS NULL) <> ($2::timestamptz IS NULL)
        AND ($3::integer[] IS NULL OR before.version = ANY($3))
      RETURNING t.id, t.deleted_at
    ),
    ${recordedIn({
      parameter: "$4",
      changed: "changed",
      changes: `(
      SELECT jsonb_build_array(jsonb_build_object(
        'field', 'deletedAt', 'before', ${toJsonTime("before.deleted_at")}, 'after', ${toJsonTime("changed.deleted_at")}))
      FROM before JOIN changed USING (id) WHERE id = change."taskId")`,
    })}
    SELECT before.id, before.title, before.version, before.deleted_at AS "deletedBefore",
      changed.id IS NOT NULL AS "hasChanged",
      CASE WHEN changed.id IS NULL THEN before.deleted_at ELSE changed.deleted_at END AS "deletedAt"
    FROM before LEFT JOIN changed ON changed.id = before.id`,
});

/**
 * Marks a task as deleted or active if it has one of the expected versions. Keeps the time of an earlier deletion. Returns null
 * if there is no such task.
 */
export function setTaskDeletedAt(
  db: Queryable,
  {
    id,
    deletedAt,
    versions,
    mark,
  }: { id: string; deletedAt: Date | null; versions: ExpectedVersions; mark: ChangeMark },
): Promise<RowOf<typeof DELETION_CHANGE> | null> {
  return changedDeletion.first(db, [[id], deletedAt, versions, toChangeParameter(mark)]);
}

/** Marks several tasks as deleted or active, with a mark for each. */
export async function setTasksDeletedAt(
  db: Queryable,
  deletedAt: Date | null,
  marks: readonly (ChangeMark & { readonly taskId: string })[],
): Promise<void> {
  const ids = marks.map(({ taskId }) => taskId);
  await changedDeletion.all(db, [ids, deletedAt, null, JSON.stringify(marks)]);
}
