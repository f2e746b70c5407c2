import type { NewTaskChange } from "./task-change.ts";

/** How many changes of a task are kept, and how much text in them; the oldest are deleted when one is added. */
const MAX_KEPT = 500;
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** Texts are saved while they are typed: what one author changes in one within this time is one change. */
const CONTINUED_FOR = "interval '10 minutes'";

interface RecordedIn {
  /** The parameter with the change, as returned by {@link toChangeParameter}, or with several, each with its `taskId`. */
  readonly parameter: string;
  /** The common table expression with the id of the task if it was changed. */
  readonly changed: string;
  /** The expression for what was changed, if the statement itself has to find out. */
  readonly changes?: string;
}

/**
 * Common table expressions that record a change in the statement that makes it, so that neither is ever without the other and
 * recording takes no further round trip.
 */
export function recordedIn({ parameter, changed, changes = "change.changes" }: RecordedIn): string {
  return `
    change AS (
      SELECT c.id, c.author, c.changes, c."textBefore", c."textAfter", c."undoesId", c."causeId", c."createdAt", c.continues,
        ${changed}.id AS "taskId"
      FROM ${changed}, jsonb_to_recordset(${parameter}::jsonb) AS c (
        "taskId" uuid, id uuid, author jsonb, changes jsonb, "textBefore" text, "textAfter" text, "undoesId" uuid, "causeId" uuid,
        "createdAt" timestamptz, continues boolean)
      WHERE c.id IS NOT NULL AND COALESCE(c."taskId", ${changed}.id) = ${changed}.id
    ),
    earlier AS (
      SELECT e.id, row_number() OVER newest AS number,
        sum(pg_column_size(e.changes) + COALESCE(pg_column_size(e.text_before), 0) + COALESCE(pg_column_size(e.text_after), 0))
          OVER newest AS bytes
      FROM change JOIN task_changes e ON e.task_id = change."taskId"
      WINDOW newest AS (PARTITION BY e.task_id ORDER BY e.created_at DESC, e.id DESC)
    ),
    continued AS (
      UPDATE task_changes latest
      SET changes = jsonb_set(latest.changes, '{0,after}', change.changes -> 0 -> 'after'), text_after = change."textAfter"
      FROM change, earlier
      WHERE change.continues AND earlier.number = 1 AND latest.id = earlier.id AND latest.task_id = change."taskId" AND latest.undoes_id IS NULL
        AND latest.author = change.author AND latest.created_at > change."createdAt" - ${CONTINUED_FOR}
        AND jsonb_array_length(latest.changes) = 1 AND latest.changes -> 0 -> 'field' = change.changes -> 0 -> 'field'
      RETURNING latest.id
    ),
    recorded AS (
      INSERT INTO task_changes (id, task_id, author, changes, text_before, text_after, undoes_id, cause_id, created_at)
      SELECT id, "taskId", author, ${changes}, "textBefore", "textAfter", "undoesId", "causeId", "createdAt" FROM change
      WHERE NOT EXISTS (SELECT FROM continued)
    ),
    forgotten AS (
      DELETE FROM task_changes USING earlier
      WHERE task_changes.id = earlier.id AND (earlier.number >= ${MAX_KEPT} OR earlier.bytes > ${MAX_KEPT_BYTES})
    )`;
}

export function toChangeParameter(change: Partial<NewTaskChange> | null): string | null {
  return change === null ? null : JSON.stringify([change]);
}
