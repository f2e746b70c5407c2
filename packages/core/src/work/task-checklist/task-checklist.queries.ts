import { column, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { ChecklistItem } from "../tasks/checklist.ts";
import type { NewTaskChange } from "../tasks/task-change.ts";
import { recordedIn, toChangeParameter } from "../tasks/task-change.queries.ts";

const CHECKLIST = {
  id: column.uuid,
  title: column.text,
  deletedAt: column.timestamp.nullable,
  items: column.json.as<ChecklistItem[]>(),
};
export type StoredChecklist = RowOf<typeof CHECKLIST>;

const COLUMNS = `id, title, deleted_at AS "deletedAt", checklist AS items`;

const checklist = defineQuery({
  name: "select-task-checklist",
  row: CHECKLIST,
  text: `SELECT ${COLUMNS} FROM tasks WHERE id = $1`,
});

export function selectChecklist(db: Queryable, id: string): Promise<StoredChecklist | null> {
  return checklist.first(db, [id]);
}

const lockedChecklist = defineQuery({
  name: "select-task-checklist-for-update",
  row: CHECKLIST,
  text: `SELECT ${COLUMNS} FROM tasks WHERE id = $1 FOR UPDATE`,
});

/** The checklist, locked until the transaction ends, so that changes of different items at once are all kept. */
export function selectChecklistForUpdate(client: PoolClient, id: string): Promise<StoredChecklist | null> {
  return lockedChecklist.first(client, [id]);
}

const changedChecklist = defineQuery({
  name: "update-task-checklist",
  row: { id: column.uuid },
  text: `
    WITH updated AS (
      UPDATE tasks SET checklist = $2, checklist_done = $3, checklist_total = $4, modified_at = $5, version = version + 1
      WHERE id = $1 RETURNING id
    ),
    ${recordedIn({ parameter: "$6", changed: "updated" })}
    SELECT id FROM updated`,
});

export async function updateChecklist(
  client: PoolClient,
  { id, items, modifiedAt }: { id: string; items: readonly ChecklistItem[]; modifiedAt: Date },
  change: NewTaskChange,
): Promise<void> {
  const done = items.filter(({ isDone }) => isDone).length;
  const parameters = [id, JSON.stringify(items), done, items.length, modifiedAt, toChangeParameter(change)];
  await changedChecklist.one(client, parameters);
}
