import { column, defineComposedQuery, TaskStatus, type Bind, type PoolClient, type RowOf } from "@workspace/db";
import { toSearchPattern } from "../../platform/fold-text.ts";
import { startOfDay } from "../../platform/time-zone.ts";
import {
  foldedText,
  hasTag,
  inProject,
  inPeriod,
  instant,
  jsonTime,
  number,
  periodOf,
  textOf,
  toSql,
  writtenText,
  type Comparison,
  type ConditionForms,
} from "./condition-sql.ts";
import { isTaskField, type Field, type TaskField } from "./query-fields.ts";
import { parseQuery, type Query } from "./query-language.ts";

export interface TaskSearch {
  readonly query: Query;
  readonly timeZone: string;
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

const TITLE = `split_part(t.search_text, E'\\x1f', 1)`;
const HOLDER = "CASE WHEN t.claim_expires_at > now() THEN t.claim_holder END";
const DESCRIPTION_CHARACTERS = 200;

type PlainField = Exclude<TaskField, "text">;

const SHOWN: Readonly<Record<PlainField, string>> = {
  title: "to_jsonb(t.title)",
  description: `to_jsonb(left(t.description, ${DESCRIPTION_CHARACTERS}))`,
  status: "to_jsonb(t.status)",
  priority: "to_jsonb(t.priority)",
  project: "to_jsonb(p.name)",
  tags: "to_jsonb(t.tags)",
  due: "to_jsonb(t.due_date || coalesce(' ' || t.due_time, ''))",
  created: jsonTime("t.created_at"),
  modified: jsonTime("t.modified_at"),
  completed: jsonTime("t.completed_at"),
  holder: `to_jsonb(${HOLDER})`,
  creator: "to_jsonb(u.name)",
};

const ORDER: Readonly<Record<PlainField, string>> = {
  title: `t.title COLLATE "und-x-icu"`,
  description: `left(t.description, ${DESCRIPTION_CHARACTERS}) COLLATE "und-x-icu"`,
  status: "t.status",
  priority: "t.priority",
  project: `p.name COLLATE "und-x-icu"`,
  tags: "nullif(t.tags, '{}')",
  due: `(t.due_date || coalesce(' ' || t.due_time, '')) COLLATE "C"`,
  created: "t.created_at",
  modified: "t.modified_at",
  completed: "t.completed_at",
  holder: `(${HOLDER}) COLLATE "und-x-icu"`,
  creator: `u.name COLLATE "und-x-icu"`,
};

const EMPTY: Readonly<Record<TaskField, string>> = {
  title: "t.title = ''",
  description: "coalesce(t.description, '') = ''",
  status: "false",
  priority: "false",
  project: "p.id IS NULL",
  tags: "t.tags = '{}'",
  due: "t.due_date IS NULL",
  created: "false",
  modified: "false",
  completed: "t.completed_at IS NULL",
  holder: `(${HOLDER}) IS NULL`,
  creator: "false",
  text: "t.search_text = ''",
};

function formsOf(timeZone: string, bind: Bind): ConditionForms {
  const compareField = (name: TaskField, comparison: Comparison): string => {
    switch (name) {
      case "title":
        return foldedText(TITLE, comparison, bind);
      case "description":
        return writtenText("t.description", comparison, bind);
      case "status":
        return `t.status = ${bind(textOf(comparison.value))}::task_status`;
      case "priority":
        return number("t.priority", comparison, bind);
      case "project":
        return inProject("t.project_id", comparison, bind);
      case "tags":
        return hasTag("t.tags", comparison, bind);
      case "due":
        return isDue(comparison, timeZone, bind);
      case "created":
        return instant("t.created_at", comparison, timeZone, bind);
      case "modified":
        return instant("t.modified_at", comparison, timeZone, bind);
      case "completed":
        return instant("t.completed_at", comparison, timeZone, bind);
      case "holder":
        return writtenText(`(${HOLDER})`, comparison, bind);
      case "creator":
        return `t.creator_id IN (SELECT id FROM users WHERE ${writtenText("name", comparison, bind)})`;
      case "text":
        return `t.search_text LIKE ${bind(toSearchPattern(textOf(comparison.value)))}`;
    }
  };
  const emptyOf = ({ name }: Field): string => (isTaskField(name) ? EMPTY[name] : "true");
  return {
    compare: (comparison) =>
      isTaskField(comparison.field.name) ? compareField(comparison.field.name, comparison) : "false",
    isEmpty: emptyOf,
    isSet: (field) => `NOT (${emptyOf(field)})`,
  };
}

/** A due date is a plain day, or an instant in UTC as text. */
function isDue({ operator, value }: Comparison, timeZone: string, bind: Bind): string {
  const expression = `t.due_date COLLATE "C"`;
  const { from, to } = periodOf(value);
  const at = (day: string): string => bind(startOfDay(timeZone, day).toISOString());
  const onDay = inPeriod({ expression, operator, from: () => bind(from), to: () => bind(to) });
  const atInstant = inPeriod({ expression, operator, from: () => at(from), to: () => at(to) });
  return `coalesce(CASE WHEN length(t.due_date) > 10 THEN ${atInstant} ELSE ${onDay} END, false)`;
}

function isPlainField(name: string): name is PlainField {
  return Object.hasOwn(SHOWN, name);
}

const shownOf = ({ name }: Field): string => (isPlainField(name) ? SHOWN[name] : "NULL::jsonb");
const orderOf = ({ name }: Field): string => (isPlainField(name) ? ORDER[name] : "t.id");

const foundTasks = defineComposedQuery({
  name: "select-queried-tasks",
  row: FOUND_TASK,
  compose: ({ query, timeZone }: TaskSearch, bind) => {
    const conditions = ["t.deleted_at IS NULL"];
    if (query.where !== null) conditions.push(toSql(query.where, formsOf(timeZone, bind)));
    const sorts = [...(query.group === null ? [] : [query.group]), ...query.sorts].map(
      ({ field, isDescending }) => `${orderOf(field)} ${isDescending ? "DESC" : "ASC"} NULLS LAST`,
    );
    // With a condition, most rows may have to be read, which takes longer in the order of an index.
    if (query.sorts.length === 0)
      sorts.push(query.where === null ? "t.created_at DESC" : "t.created_at + interval '0' DESC");
    return `
      SELECT t.id, t.title, t.status, t.priority, t.due_date AS "dueDate", t.due_time AS "dueTime",
        p.name AS "projectName", p.color AS "projectColor", t.tags, t.version,
        ${query.group === null ? "NULL::jsonb" : shownOf(query.group.field)} AS "group",
        jsonb_build_array(${query.columns.map(shownOf).join(", ")}) AS "values"
      FROM tasks t JOIN users u ON u.id = t.creator_id LEFT JOIN projects p ON p.id = t.project_id
      WHERE ${conditions.join(" AND ")} ORDER BY ${sorts.join(", ")}, t.id DESC LIMIT ${bind(query.limit + 1)}`;
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
where title = a and description contains b and status = done and priority >= medium and project = c and #d and due = today
where created < today and modified = today and completed = today and holder = e and creator = f and text contains g
where not (title is empty or description is empty or project is empty or tags is empty or due is empty or holder is empty)
sort title, description, priority desc, project, due
group status
columns title, description, status, priority, project, tags, due, created, modified, completed, holder, creator`;
  const parsed = parseQuery(text, "2026-01-01");
  if ("problem" in parsed) throw new Error(parsed.problem.message);
  return { query: parsed.query, timeZone: "UTC" };
}
