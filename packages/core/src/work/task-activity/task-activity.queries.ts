import { column, defineComposedQuery, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { FieldChange } from "../tasks/task-change.ts";
import type { Mentionable } from "./mentions.ts";
import type { ActivityEntry, ChangeDetail } from "./task-activity.schema.ts";

const AUTHOR = column.json.as<Author>();
const MENTIONS = column.json.as<Mentionable[]>();

const ENTRY = {
  kind: column.text.as<ActivityEntry["kind"]>().neverNull,
  id: column.uuid.neverNull,
  createdAt: column.timestamp.neverNull,
  author: AUTHOR.nullable,
  changes: column.json.as<FieldChange[]>().nullable,
  undoesId: column.uuid.nullable,
  text: column.text.nullable,
  mentions: MENTIONS.nullable,
  editedAt: column.timestamp.nullable,
};

interface ActivityOf extends PageRange<TimeAndId> {
  readonly id: string;
  readonly hasChanges: boolean;
  readonly hasComments: boolean;
}

const entries = defineComposedQuery({
  name: "select-task-activity",
  row: ENTRY,
  compose: ({ id, hasChanges, hasComments, after, limit }: ActivityOf, bind) => {
    const task = bind(id);
    const position = after && `(${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`;
    const isAfter = position === undefined ? "" : `AND (created_at, id) < ${position}`;
    const page = `${isAfter} ORDER BY created_at DESC, id DESC LIMIT ${bind(limit)}`;
    const changes = `
      (SELECT 'change' AS kind, id, created_at, author, changes, undoes_id, NULL AS text, NULL::jsonb AS mentions,
        NULL::timestamptz AS edited_at
      FROM task_changes WHERE task_id = ${task} ${page})
      UNION ALL
      (SELECT 'creation', id, created_at, author, NULL, NULL, NULL, NULL, NULL FROM tasks WHERE id = ${task} ${isAfter})`;
    const comments = `
      (SELECT 'comment' AS kind, id, created_at, author, NULL::jsonb AS changes, NULL::uuid AS undoes_id, text, mentions, edited_at
      FROM task_comments WHERE task_id = ${task} ${page})`;
    const parts = [...(hasChanges ? [changes] : []), ...(hasComments ? [comments] : [])];
    return `
      SELECT kind, id, created_at AS "createdAt", author, changes, undoes_id AS "undoesId", text, mentions,
        edited_at AS "editedAt"
      FROM (${parts.join(" UNION ALL ")}) AS entry ORDER BY created_at DESC, id DESC LIMIT ${bind(limit)}`;
  },
  examples: [
    { id: "", hasChanges: true, hasComments: true, after: ["", ""], limit: 1 },
    { id: "", hasChanges: false, hasComments: true, after: undefined, limit: 1 },
  ],
});

/** Changes, comments and the creation of a task, newest first. */
export async function selectActivity(db: Queryable, of: ActivityOf): Promise<ActivityEntry[]> {
  return (await entries.all(db, of)).map(toEntry);
}

function toEntry(row: RowOf<typeof ENTRY>): ActivityEntry {
  const { kind, id, createdAt, author, changes, undoesId, text, mentions, editedAt } = row;
  if (kind === "creation" || author === null) return { kind: "creation", id, createdAt, author };
  if (kind === "comment") return { kind, id, createdAt, author, text: text ?? "", mentions: mentions ?? [], editedAt };
  return { kind, id, createdAt, author, changes: changes ?? [], undoesId };
}

const CHANGE = {
  id: column.uuid,
  createdAt: column.timestamp,
  author: AUTHOR,
  changes: column.json.as<FieldChange[]>(),
  undoesId: column.uuid.nullable,
  descriptionBefore: column.text.nullable,
  descriptionAfter: column.text.nullable,
};

const CHANGE_COLUMNS = `
  id, created_at AS "createdAt", author, changes, undoes_id AS "undoesId", text_before AS "descriptionBefore",
  text_after AS "descriptionAfter"`;

const changeById = defineQuery({
  name: "select-task-change",
  row: CHANGE,
  text: `SELECT ${CHANGE_COLUMNS} FROM task_changes WHERE task_id = $1 AND id = $2`,
});

export async function selectChange(db: Queryable, taskId: string, id: string): Promise<ChangeDetail | null> {
  const row = await changeById.first(db, [taskId, id]);
  return row === null ? null : { kind: "change", ...row };
}

const causedChanges = defineQuery({
  name: "select-caused-task-changes",
  row: { ...CHANGE, taskId: column.uuid },
  text: `SELECT ${CHANGE_COLUMNS}, task_id AS "taskId" FROM task_changes WHERE cause_id = $1 ORDER BY id`,
});

/** The changes of subtasks that came with one of their parent. */
export async function selectCausedChanges(
  db: Queryable,
  causeId: string,
): Promise<(ChangeDetail & { readonly taskId: string })[]> {
  return (await causedChanges.all(db, [causeId])).map((row) => ({ kind: "change", ...row }));
}
