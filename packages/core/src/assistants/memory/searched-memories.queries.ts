import { column, defineQuery } from "@workspace/db";
import type { ReadSearchedRows } from "../../platform/search/searched-row.ts";

const searchedMemories = defineQuery({
  name: "select-searched-memories",
  row: { id: column.uuid, text: column.text, keywords: column.text.neverNull, occurredAt: column.timestamp },
  text: `
    SELECT id, content AS text, coalesce(source_excerpt, '') AS keywords, created_at AS "occurredAt"
    FROM memory_chunks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL`,
});

/** Memories for the search over everything. They have no titles. */
export const readSearchedMemories: ReadSearchedRows = async (db, ids) =>
  (await searchedMemories.all(db, [ids])).map((memory) => ({ ...memory, shownId: memory.id, title: "" }));
