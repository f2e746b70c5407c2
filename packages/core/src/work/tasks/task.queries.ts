import { column, defineComposedQuery, defineQuery, TaskStatus } from "@workspace/db";
import type { PoolClient, Queryable, RowOf } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import { toSearchPattern } from "../../platform/fold-text.ts";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { NewTaskChange } from "./task-change.ts";
import { recordedIn, toChangeParameter } from "./task-change.queries.ts";
import type { RepeatOrigin } from "../recurrence/repeated-due.ts";
import type { ReadFilter } from "../task-filter/filter-reader.ts";
import { filterSql } from "../task-filter/filter-sql.ts";
import { FILTER_EXAMPLE } from "../task-filter/filter-example.ts";
import type { ListTasks, Party, Task } from "./task.schema.ts";

/** A task's own columns, from which an update starts. */
export const STORED_TASK = {
  id: column.uuid,
  title: column.text,
  description: column.text.nullable,
  status: column.oneOf(TaskStatus),
  priority: column.integer,
  projectId: column.uuid.nullable,
  dueDate: column.text.nullable,
  dueTime: column.text.nullable,
  tags: column.texts.neverNull,
  assignee: column.json.as<Party>().nullable,
  completedAt: column.timestamp.nullable,
  deletedAt: column.timestamp.nullable,
  parentId: column.uuid.nullable,
  version: column.integer,
  repeat: column.text.nullable,
  repeatFrom: column.text.as<RepeatOrigin>(),
  repeatTimezone: column.text.nullable,
  nextId: column.uuid.nullable,
  snoozedUntil: column.timestamp.nullable,
};
export type StoredTask = RowOf<typeof STORED_TASK>;

/** How a task is named where it is not shown itself. */
export const TASK_REF = { id: column.uuid, title: column.text, status: column.oneOf(TaskStatus) };

/** A task as shown to readers. */
export const TASK = {
  ...STORED_TASK,
  position: column.text,
  checklistDone: column.integer,
  checklistTotal: column.integer,
  subtasksDone: column.integer.neverNull,
  subtasksTotal: column.integer.neverNull,
  claimHolder: column.text.nullable,
  claimSessionId: column.text.nullable,
  claimedAt: column.timestamp.nullable,
  claimExpiresAt: column.timestamp.nullable,
  handoverNote: column.text.nullable,
  createdAt: column.timestamp,
  modifiedAt: column.timestamp,
  projectName: column.text.nullable,
  projectColor: column.text.nullable,
  creatorId: column.uuid,
  creatorName: column.text,
};

/** What is written when a task is created or changed. */
export interface TaskValues extends Omit<StoredTask, "completedAt" | "deletedAt" | "version"> {
  completedAt: Date | null;
  modifiedAt: Date;
  searchText: string;
}

export const OWN_COLUMNS = `
  t.id, t.title, t.description, t.status, t.priority, t.project_id AS "projectId", t.due_date AS "dueDate",
  t.due_time AS "dueTime", t.tags, t.completed_at AS "completedAt", t.deleted_at AS "deletedAt",
  t.parent_id AS "parentId", t.version, t.repeat_rule AS "repeat", t.repeat_from AS "repeatFrom",
  t.repeat_timezone AS "repeatTimezone", t.next_id AS "nextId", t.snoozed_until AS "snoozedUntil", t.assignee`;

export const TASK_COLUMNS = `${OWN_COLUMNS}, t.position, t.checklist_done AS "checklistDone",
  t.checklist_total AS "checklistTotal", subtasks.done AS "subtasksDone", subtasks.total AS "subtasksTotal",
  t.claim_holder AS "claimHolder", t.claim_session_id AS "claimSessionId",
  t.claimed_at AS "claimedAt", t.claim_expires_at AS "claimExpiresAt", t.handover_note AS "handoverNote",
  t.created_at AS "createdAt", t.modified_at AS "modifiedAt",
  p.name AS "projectName", p.color AS "projectColor", t.creator_id AS "creatorId", u.name AS "creatorName"`;

export const TASK_JOINS = `
  JOIN users u ON u.id = t.creator_id LEFT JOIN projects p ON p.id = t.project_id
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE subtask.status = 'done')::int AS done, count(*)::int AS total FROM tasks subtask
    WHERE subtask.parent_id = t.id AND subtask.deleted_at IS NULL
  ) AS subtasks`;

/** A task `t` that is not done and comes back later. */
export const IS_SNOOZED = "(t.status <> 'done' AND COALESCE(t.snoozed_until > now(), false))";

type TaskSelection = Omit<ListTasks, "limit" | "cursor" | "filter" | "timezone" | "firstWeekday"> & {
  readonly filtered?: ReadFilter | undefined;
};

const tasksByAge = defineComposedQuery({
  name: "select-tasks",
  row: TASK,
  compose: (
    {
      includeDeleted,
      onlyDeleted,
      status,
      projectId,
      search,
      snoozed,
      filtered,
      after,
      limit,
    }: TaskSelection & PageRange<TimeAndId>,
    bind,
  ) => {
    const conditions: string[] = [];
    if (onlyDeleted === true) conditions.push("t.deleted_at IS NOT NULL");
    else if (includeDeleted !== true) conditions.push("t.deleted_at IS NULL");
    if (status !== undefined) conditions.push(`t.status = ANY(${bind(status)}::task_status[])`);
    if (projectId !== undefined) conditions.push(`t.project_id = ${bind(projectId)}`);
    if (snoozed !== undefined) conditions.push(snoozed ? IS_SNOOZED : `NOT ${IS_SNOOZED}`);
    if (search !== undefined && search !== "") {
      conditions.push(`t.search_text LIKE ${bind(toSearchPattern(search))}`);
    }
    if (filtered?.filter) conditions.push(filterSql(filtered.filter, filtered.context, bind));
    if (after !== undefined) {
      conditions.push(`(t.created_at, t.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    }
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const limitClause = limit === undefined ? "" : `LIMIT ${bind(limit)}`;
    return `SELECT ${TASK_COLUMNS} FROM tasks t ${TASK_JOINS} ${where} ORDER BY t.created_at DESC, t.id DESC ${limitClause}`;
  },
  examples: [
    {
      includeDeleted: false,
      onlyDeleted: false,
      status: ["todo"],
      projectId: "",
      search: "a",
      snoozed: false,
      filtered: FILTER_EXAMPLE,
      after: ["", ""],
      limit: 1,
    },
    { includeDeleted: true, after: undefined, limit: undefined },
    { onlyDeleted: true, after: undefined, limit: undefined },
  ],
});

/** Tasks that match all filters, newest first, at most `limit`, after a position. */
export async function selectTasks(
  db: Queryable,
  selection: TaskSelection,
  range: PageRange<TimeAndId>,
): Promise<Task[]> {
  return (await tasksByAge.all(db, { ...selection, ...range })).map(toTask);
}

const taskById = defineQuery({
  name: "select-task",
  row: TASK,
  isPrepared: true,
  text: `SELECT ${TASK_COLUMNS} FROM tasks t ${TASK_JOINS} WHERE t.id = $1`,
});

/** One task, deleted or not; null if there is none. */
export async function selectTask(db: Queryable, id: string): Promise<Task | null> {
  const row = await taskById.first(db, [id]);
  return row === null ? null : toTask(row);
}

const lockedTask = defineQuery({
  name: "select-task-for-update",
  row: STORED_TASK,
  text: `SELECT ${OWN_COLUMNS} FROM tasks t WHERE t.id = $1 FOR UPDATE`,
});

/** A task's own columns, locked until the transaction ends. */
export function selectTaskForUpdate(db: PoolClient, id: string): Promise<StoredTask | null> {
  return lockedTask.first(db, [id]);
}

const newTask = defineQuery({
  name: "insert-task",
  row: TASK,
  isPrepared: true,
  text: `
    WITH p AS (SELECT id, name, color FROM projects WHERE id = $6 AND deleted_at IS NULL),
    t AS (
      INSERT INTO tasks (id, title, description, status, priority, project_id, due_date, tags, completed_at,
                         modified_at, search_text, due_time, parent_id, repeat_rule, repeat_from, repeat_timezone,
                         next_id, snoozed_until, assignee, creator_id, created_at, author)
      SELECT $1, $2, $3, $4, $5, $6::uuid, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19::jsonb, $20, $21,
        $22::jsonb
      WHERE $6::uuid IS NULL OR EXISTS (SELECT FROM p)
      RETURNING *
    )
    SELECT ${TASK_COLUMNS} FROM t JOIN users u ON u.id = t.creator_id LEFT JOIN p ON p.id = t.project_id
      CROSS JOIN (SELECT 0 AS done, 0 AS total) AS subtasks`,
});

/**
 * Stores a new task and returns it as shown to readers. Returns null and stores nothing if `projectId` is not an active
 * project.
 */
export async function insertTask(
  db: Queryable,
  task: TaskValues & { author: Author; createdAt: Date },
): Promise<Task | null> {
  const row = await newTask.first(db, [
    ...ownValues(task),
    task.author.userId,
    task.createdAt,
    JSON.stringify(task.author),
  ]);
  return row === null ? null : toTask(row);
}

const KEEPS_CLAIM = "$4::task_status = 'in_progress' AND NOT ($20 AND claim_expires_at <= now())";

const changedTask = defineQuery({
  name: "update-task",
  row: { id: column.uuid },
  isPrepared: true,
  text: `
    WITH updated AS (UPDATE tasks SET title = $2, description = $3, status = $4::task_status, priority = $5, project_id = $6, due_date = $7, tags = $8,
      completed_at = $9, modified_at = $10, search_text = $11, due_time = $12, parent_id = $13, repeat_rule = $14,
      repeat_from = $15, repeat_timezone = $16, next_id = $17, snoozed_until = $18, assignee = $19::jsonb,
      version = version + 1,
      claim_id = CASE WHEN ${KEEPS_CLAIM} THEN claim_id END,
      claim_holder = CASE WHEN ${KEEPS_CLAIM} THEN claim_holder END,
      claim_author = CASE WHEN ${KEEPS_CLAIM} THEN claim_author END,
      claim_session_id = CASE WHEN ${KEEPS_CLAIM} THEN claim_session_id END,
      claimed_at = CASE WHEN ${KEEPS_CLAIM} THEN claimed_at END,
      claim_expires_at = CASE WHEN ${KEEPS_CLAIM} THEN claim_expires_at END
    WHERE id = $1 RETURNING id),
    ${recordedIn({ parameter: "$21", changed: "updated" })}
    SELECT id FROM updated`,
});

/**
 * Writes a task's own values, and what was changed. A claim ends when the task is not in progress any more, and one that has run out also when somebody says
 * that it is: then it is theirs.
 */
export async function updateTask(
  db: PoolClient,
  task: TaskValues,
  { hasStatus, change }: { hasStatus: boolean; change: NewTaskChange | null },
): Promise<void> {
  await changedTask.one(db, [...ownValues(task), hasStatus, toChangeParameter(change)]);
}

const tagsInUse = defineQuery({
  name: "select-tags",
  row: { tag: column.text.neverNull },
  text: `
    SELECT tag FROM (SELECT DISTINCT unnest(tags) AS tag FROM tasks WHERE deleted_at IS NULL AND tags <> '{}') AS used
    WHERE $1::text IS NULL OR (tag COLLATE "und-x-icu", tag) > ($1 COLLATE "und-x-icu", $1)
    ORDER BY tag COLLATE "und-x-icu", tag LIMIT $2`,
});

/** The distinct tags of all tasks that are not deleted, in alphabetical order. */
export async function selectTags(
  db: Queryable,
  { limit, after }: PageRange<readonly [tag: string]>,
): Promise<string[]> {
  return (await tagsInUse.all(db, [after?.[0], limit])).map(({ tag }) => tag);
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
    task.dueTime,
    task.parentId,
    task.repeat,
    task.repeatFrom,
    task.repeatTimezone,
    task.nextId,
    task.snoozedUntil,
    task.assignee === null ? null : JSON.stringify(task.assignee),
  ];
}

/** Spelled out, because spreading the row would cost more than everything else here. */
export function toTask(row: RowOf<typeof TASK>): Task {
  const { projectId, projectName, projectColor, claimHolder, claimedAt, claimExpiresAt } = row;
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
    dueTime: row.dueTime,
    tags: row.tags,
    completedAt: row.completedAt,
    deletedAt: row.deletedAt,
    createdAt: row.createdAt,
    modifiedAt: row.modifiedAt,
    version: String(row.version),
    claim:
      claimHolder === null || claimedAt === null || claimExpiresAt === null
        ? null
        : { holder: claimHolder, sessionId: row.claimSessionId, since: claimedAt, until: claimExpiresAt },
    handoverNote: row.handoverNote,
    parentId: row.parentId,
    position: row.position,
    subtasks: { done: row.subtasksDone, total: row.subtasksTotal },
    checklist: { done: row.checklistDone, total: row.checklistTotal },
    repeat: row.repeat,
    repeatFrom: row.repeatFrom,
    repeatTimezone: row.repeatTimezone,
    nextId: row.nextId,
    snoozedUntil: row.snoozedUntil,
    assignee: row.assignee,
  };
}
