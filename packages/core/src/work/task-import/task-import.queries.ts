import { column, defineCommand, defineQuery, type Queryable, type PoolClient } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import type { TaskValues } from "../tasks/task.queries.ts";

const imports = defineCommand({
  name: "lock-task-imports",
  text: "SELECT pg_advisory_xact_lock(hashtext('workspace:task-import'))",
});

/** Has other imports wait until the end of the transaction, so that no two create the same project. */
export async function lockImports(client: PoolClient): Promise<void> {
  await imports.run(client);
}

/** A task as it is imported. */
export type NewImportedTask = TaskValues & { readonly author: Author; readonly createdAt: Date };

const known = defineQuery({
  name: "select-imported-tasks",
  row: { id: column.uuid },
  text: "SELECT id FROM tasks WHERE id = ANY($1::uuid[])",
});

/** Those of the ids that tasks have, deleted or not. */
export async function selectKnownTasks(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await known.all(db, [ids])).map(({ id }) => id));
}

const activeProjects = defineQuery({
  name: "select-projects-by-name",
  row: { id: column.uuid, name: column.text },
  text: "SELECT id, name FROM projects WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC",
});

/** The ids of active projects by their names; of equal names, that of the oldest. */
export async function selectProjectsByName(db: Queryable): Promise<Map<string, string>> {
  return new Map((await activeProjects.all(db)).map(({ id, name }) => [name, id]));
}

const newTasks = defineQuery({
  name: "insert-imported-tasks",
  row: { id: column.uuid },
  text: `
    INSERT INTO tasks (id, title, description, status, priority, project_id, due_date, due_time, tags, completed_at, modified_at,
                       search_text, repeat_rule, repeat_from, creator_id, author, created_at)
    SELECT id, title, description, status, priority, "projectId", "dueDate", "dueTime", tags, "completedAt", "modifiedAt",
      "searchText", repeat, "repeatFrom", (author ->> 'userId')::uuid, author, "createdAt"
    FROM jsonb_to_recordset($1) AS t (
      id uuid, title text, description text, status task_status, priority int, "projectId" uuid, "dueDate" text, "dueTime" text,
      tags text[], "completedAt" timestamptz, "modifiedAt" timestamptz, "searchText" text, repeat text, "repeatFrom" text, author jsonb, "createdAt" timestamptz
    )
    ON CONFLICT (id) DO NOTHING RETURNING id`,
});

/** Stores tasks that are not there yet, and returns their ids. */
export async function insertTasks(db: PoolClient, tasks: readonly NewImportedTask[]): Promise<Set<string>> {
  return new Set((await newTasks.all(db, [JSON.stringify(tasks)])).map(({ id }) => id));
}
