import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";

const dependenciesLock = defineCommand({
  name: "lock-task-dependencies",
  text: "SELECT pg_advisory_xact_lock(hashtext('task_blocks'))",
});

/**
 * Waits until no other transaction is changing what blocks what, what is a subtask of what, or the manual order. Two changes that are
 * each harmless could together close a circle.
 */
export async function lockTaskDependencies(client: PoolClient): Promise<void> {
  await dependenciesLock.run(client, []);
}

const dependents = defineQuery({
  name: "select-dependent-tasks",
  row: { id: column.uuid.neverNull, isEnd: column.boolean.neverNull },
  text: `
    WITH RECURSIVE dependent (id, is_end) AS (
      SELECT $1::uuid, $2::boolean
      UNION
      SELECT next.id, next.is_end FROM dependent CROSS JOIN LATERAL (
        SELECT dependent.id, true AS is_end WHERE NOT dependent.is_end
        UNION ALL SELECT id, false FROM tasks WHERE NOT dependent.is_end AND parent_id = dependent.id
        UNION ALL SELECT task_id, false FROM task_blocks WHERE dependent.is_end AND blocker_id = dependent.id
        UNION ALL SELECT parent_id, true FROM tasks WHERE dependent.is_end AND id = dependent.id AND parent_id IS NOT NULL
      ) AS next
    )
    SELECT id, is_end AS "isEnd" FROM dependent`,
});

/** The tasks that cannot begin, and those that cannot end, before something else has happened. */
export interface Dependents {
  readonly begin: ReadonlySet<string>;
  readonly end: ReadonlySet<string>;
}

/**
 * What directly or indirectly depends on the beginning of a task, or on its end, with the task itself. A task ends after it has begun and
 * after its subtasks; it begins after its blockers have ended, and after what it is a subtask of could begin.
 */
export async function selectDependents(db: Queryable, id: string, event: "begin" | "end"): Promise<Dependents> {
  const rows = await dependents.all(db, [id, event === "end"]);
  const idsWith = (wanted: boolean) => new Set(rows.flatMap((row) => (row.isEnd === wanted ? [row.id] : [])));
  return { begin: idsWith(false), end: idsWith(true) };
}
