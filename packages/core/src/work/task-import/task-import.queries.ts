import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import type { ChecklistItem } from "../tasks/checklist.ts";
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
export type NewImportedTask = TaskValues & {
  readonly author: Author;
  readonly createdAt: Date;
  readonly checklist: readonly ChecklistItem[];
  /** Its place among those that are imported with it. */
  readonly order: number;
};

const EXISTING = {
  id: column.uuid.neverNull,
  projectId: column.uuid.nullable,
  level: column.integer.neverNull,
  rootId: column.uuid.neverNull,
  tasksInTree: column.integer.neverNull,
};
const existingParents = defineQuery({
  name: "select-imported-parents",
  row: EXISTING,
  text: `
    WITH RECURSIVE parent AS (SELECT id, project_id, parent_id FROM tasks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL),
    above AS (
      SELECT id AS start, id, parent_id, 1 AS level FROM parent
      UNION ALL SELECT start, t.id, t.parent_id, level + 1 FROM above JOIN tasks t ON t.id = above.parent_id
    ),
    top AS (SELECT start, id, level FROM above WHERE parent_id IS NULL),
    tree AS (
      SELECT DISTINCT id AS root, id FROM top
      UNION ALL SELECT root, t.id FROM tree JOIN tasks t ON t.parent_id = tree.id
    ),
    size AS (SELECT root, count(*)::int AS tasks FROM tree GROUP BY root)
    SELECT parent.id, p.id AS "projectId", top.level, top.id AS "rootId", size.tasks AS "tasksInTree"
    FROM parent JOIN top ON top.start = parent.id JOIN size ON size.root = top.id
      LEFT JOIN projects p ON p.id = parent.project_id AND p.deleted_at IS NULL`,
});
export type ExistingParentRow = RowOf<typeof EXISTING>;

/** Where those of these tasks are that are not deleted, with their active projects. */
export async function selectExistingParents(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, ExistingParentRow>> {
  if (ids.length === 0) return new Map();
  return new Map((await existingParents.all(db, [ids])).map((row) => [row.id, row]));
}

const newReminders = defineCommand({
  name: "insert-imported-reminders",
  text: `
    INSERT INTO task_reminders (id, task_id, user_id, minutes_before, fires_at, timezone, created_at)
    SELECT id, "taskId", $2, "minutesBefore", at, $3, now()
    FROM jsonb_to_recordset($1) AS r (id uuid, "taskId" uuid, "minutesBefore" int, at timestamptz)`,
});

/** Stores reminders of a person. A trigger finds the times of those that are relative to due dates. */
export async function insertReminders(
  db: PoolClient,
  reminders: readonly {
    readonly id: string;
    readonly taskId: string;
    readonly minutesBefore: number | null;
    readonly at: Date | null;
  }[],
  { userId, timeZone }: { readonly userId: string; readonly timeZone: string },
): Promise<void> {
  if (reminders.length > 0) await newReminders.run(db, [JSON.stringify(reminders), userId, timeZone]);
}

const newLinks = defineCommand({
  name: "insert-imported-links",
  text: `
    INSERT INTO task_links (task_id, kind, target_id, title, is_set, is_named, created_at)
    SELECT "taskId", 'note', id, title, "isSet", "isNamed", now()
    FROM jsonb_to_recordset($1) AS l ("taskId" uuid, id uuid, title text, "isSet" boolean, "isNamed" boolean)`,
});

/** A note that the title or the description of an imported task names. */
export interface ImportedLink {
  readonly taskId: string;
  readonly id: string;
  readonly title: string;
  /** By the title. */
  readonly isSet: boolean;
  /** By the description. */
  readonly isNamed: boolean;
}

/** Stores links of new tasks to notes. */
export async function insertLinks(db: PoolClient, links: readonly ImportedLink[]): Promise<void> {
  if (links.length > 0) await newLinks.run(db, [JSON.stringify(links)]);
}

const newRelations = defineCommand({
  name: "insert-imported-relations",
  text: `
    WITH blocks AS (
      INSERT INTO task_blocks (task_id, blocker_id)
      SELECT "taskId", "otherId" FROM jsonb_to_recordset($1) AS b ("taskId" uuid, "otherId" uuid) ON CONFLICT DO NOTHING
    )
    INSERT INTO task_relations (first_id, second_id)
    SELECT DISTINCT LEAST("taskId", "otherId"), GREATEST("taskId", "otherId")
    FROM jsonb_to_recordset($2) AS r ("taskId" uuid, "otherId" uuid) ON CONFLICT DO NOTHING`,
});

interface TaskPair {
  readonly taskId: string;
  readonly otherId: string;
}

/** Stores what new tasks wait for, and which of them concern each other. */
export async function insertRelations(
  db: PoolClient,
  { blockers, related }: { readonly blockers: readonly TaskPair[]; readonly related: readonly TaskPair[] },
): Promise<void> {
  if (blockers.length + related.length === 0) return;
  await newRelations.run(db, [JSON.stringify(blockers), JSON.stringify(related)]);
}

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
                       search_text, repeat_rule, repeat_from, creator_id, author, created_at, parent_id, position, repeat_timezone,
                       snoozed_until, checklist, checklist_done, checklist_total)
    SELECT id, title, description, status, priority, "projectId", "dueDate", "dueTime", tags, "completedAt", "modifiedAt",
      "searchText", repeat, "repeatFrom", (author ->> 'userId')::uuid, author, "createdAt",
      "parentId", 'k' || lpad(to_hex((EXTRACT(epoch FROM now()) * 1000)::bigint + "order"), 11, '0'),
      "repeatTimezone", "snoozedUntil", checklist, jsonb_array_length(jsonb_path_query_array(checklist, '$[*] ? (@.isDone == true)')),
      jsonb_array_length(checklist)
    FROM jsonb_to_recordset($1) AS t (
      id uuid, title text, description text, status task_status, priority int, "projectId" uuid, "dueDate" text, "dueTime" text,
      tags text[], "completedAt" timestamptz, "modifiedAt" timestamptz, "searchText" text, repeat text, "repeatFrom" text, author jsonb, "createdAt" timestamptz,
      "parentId" uuid, "order" int, "repeatTimezone" text, "snoozedUntil" timestamptz, checklist jsonb
    )
    ON CONFLICT (id) DO NOTHING RETURNING id`,
});

/** Stores tasks that are not there yet, and returns their ids. */
export async function insertTasks(db: PoolClient, tasks: readonly NewImportedTask[]): Promise<Set<string>> {
  return new Set((await newTasks.all(db, [JSON.stringify(tasks)])).map(({ id }) => id));
}
