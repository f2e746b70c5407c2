import { column, defineQuery } from "@workspace/db";
import { MAX_SEARCHED_CHARACTERS, type ReadSearchedRows } from "../../platform/search/searched-row.ts";

const searchedTasks = defineQuery({
  name: "select-searched-tasks",
  row: {
    id: column.uuid,
    title: column.text,
    text: column.text.neverNull,
    keywords: column.text.neverNull,
    occurredAt: column.timestamp,
  },
  text: `
    SELECT id, title, left(coalesce(description, ''), ${MAX_SEARCHED_CHARACTERS}) AS text,
      array_to_string(tags, ' ') AS keywords, modified_at AS "occurredAt"
    FROM tasks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL`,
});

/** Tasks for the search over everything. */
export const readSearchedTasks: ReadSearchedRows = async (db, ids) =>
  (await searchedTasks.all(db, [ids])).map((task) => ({ ...task, shownId: task.id }));
