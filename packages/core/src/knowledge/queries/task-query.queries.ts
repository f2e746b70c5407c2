import { column, defineComposedQuery, TaskStatus, type PoolClient, type RowOf } from "@workspace/db";
import type { FilterContext } from "../../platform/filter/filter-days.ts";
import { FILTER_EXAMPLE } from "../../work/task-filter/filter-example.ts";
import { filterSql } from "../../work/task-filter/filter-sql.ts";
import type { TaskField } from "../../work/task-filter/task-fields.ts";
import { jsonTime } from "./json-time.ts";
import { parseQuery, type TaskQuery } from "./query-language.ts";

/** A query with ids for names, and what its days and people are measured by. */
export interface TaskSearch {
  readonly query: TaskQuery;
  readonly context: FilterContext;
}

const FOUND_TASK = {
  id: column.uuid,
  title: column.text,
  status: column.oneOf(TaskStatus),
  priority: column.integer,
  dueDate: column.text.nullable,
  dueTime: column.text.nullable,
  projectName: column.text.nullable,
  projectColor: column.text.nullable,
  tags: column.texts.neverNull,
  version: column.integer,
  group: column.json.nullable,
  values: column.json.as<unknown[]>().neverNull,
};
export type FoundTask = RowOf<typeof FOUND_TASK>;

const HOLDER = "CASE WHEN t.claim_expires_at > now() THEN t.claim_holder END";
const DESCRIPTION_CHARACTERS = 200;

type ShownField = Exclude<TaskField, "text" | "parent" | "claimed" | "snoozed">;

const SHOWN: Readonly<Record<ShownField, string>> = {
  title: "to_jsonb(t.title)",
  description: `to_jsonb(left(t.description, ${DESCRIPTION_CHARACTERS}))`,
  status: "to_jsonb(t.status)",
  priority: "to_jsonb(t.priority)",
  project: "to_jsonb(p.name)",
  tag: "to_jsonb(t.tags)",
  due: "to_jsonb(t.due_date || coalesce(' ' || t.due_time, ''))",
  created: jsonTime("t.created_at"),
  changed: jsonTime("t.modified_at"),
  completed: jsonTime("t.completed_at"),
  holder: `to_jsonb(${HOLDER})`,
  creator: "to_jsonb(u.name)",
  assignee: "t.assignee -> 'name'",
};

const ORDER: Readonly<Record<ShownField, string>> = {
  title: `t.title COLLATE "natural_order"`,
  description: `left(t.description, ${DESCRIPTION_CHARACTERS}) COLLATE "natural_order"`,
  status: "t.status",
  priority: "t.priority",
  project: `p.name COLLATE "natural_order"`,
  tag: "nullif(t.tags, '{}')",
  due: `(t.due_date || coalesce(' ' || t.due_time, '')) COLLATE "C"`,
  created: "t.created_at",
  changed: "t.modified_at",
  completed: "t.completed_at",
  holder: `(${HOLDER}) COLLATE "natural_order"`,
  creator: `u.name COLLATE "natural_order"`,
  assignee: `(t.assignee ->> 'name') COLLATE "natural_order"`,
};

function isShown(field: TaskField): field is ShownField {
  return Object.hasOwn(SHOWN, field);
}

const shownOf = (field: TaskField): string => (isShown(field) ? SHOWN[field] : "NULL::jsonb");
const orderOf = (field: TaskField): string => (isShown(field) ? ORDER[field] : "t.id");

const NAMES = "JOIN users u ON u.id = t.creator_id LEFT JOIN projects p ON p.id = t.project_id";

const foundTasks = defineComposedQuery({
  name: "select-queried-tasks",
  row: FOUND_TASK,
  compose: ({ query, context }: TaskSearch, bind) => {
    const conditions = ["t.deleted_at IS NULL"];
    if (query.where !== null) conditions.push(filterSql(query.where, context, bind));
    const sorted = [...(query.group === null ? [] : [query.group]), ...query.sorts];
    const sorts = sorted.map(
      ({ field, isDescending }) => `${orderOf(field)} ${isDescending ? "DESC" : "ASC"} NULLS LAST`,
    );
    // With a condition, most rows may have to be read, which takes longer in the order of an index.
    if (query.sorts.length === 0)
      sorts.push(query.where === null ? "t.created_at DESC" : "t.created_at + interval '0' DESC");
    const order = `ORDER BY ${sorts.join(", ")}, t.id DESC`;
    // Names are only looked up for the tasks that are shown, unless they are in the order of those.
    const isNamed = sorted.some(({ field }) => field === "project" || field === "creator");
    return `
      SELECT t.id, t.title, t.status, t.priority, t.due_date AS "dueDate", t.due_time AS "dueTime",
        p.name AS "projectName", p.color AS "projectColor", t.tags, t.version,
        ${query.group === null ? "NULL::jsonb" : shownOf(query.group.field)} AS "group",
        jsonb_build_array(${query.columns.map(({ field }) => shownOf(field)).join(", ")}) AS "values"
      FROM (
        SELECT t.id FROM tasks t ${isNamed ? NAMES : ""}
        WHERE ${conditions.join(" AND ")} ${order} LIMIT ${bind(query.limit + 1)}
      ) AS found JOIN tasks t ON t.id = found.id ${NAMES} ${order}`;
  },
  examples: [exampleSearch()],
});

/** Tasks that a query finds, one more than its limit if there are more. */
export function selectQueriedTasks(db: PoolClient, search: TaskSearch): Promise<FoundTask[]> {
  return foundTasks.all(db, search);
}

function exampleSearch(): TaskSearch {
  const text = `
from tasks
sort title, description, priority desc, project, due
group status
columns title, description, status, priority, project, tags, due, created, modified, completed, holder, assignee`;
  const parsed = parseQuery(text);
  if ("problem" in parsed || parsed.query.source !== "tasks") throw new Error("The example is no query of tasks.");
  return { query: { ...parsed.query, where: FILTER_EXAMPLE.filter }, context: FILTER_EXAMPLE.context };
}
