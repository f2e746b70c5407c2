import { column, defineQuery } from "@workspace/db";
import { MAX_SEARCHED_CHARACTERS, type ReadSearchedRows } from "../../platform/search/searched-row.ts";

const searchedDocuments = defineQuery({
  name: "select-searched-documents",
  row: {
    id: column.uuid,
    title: column.text,
    path: column.text,
    tags: column.text.neverNull,
    text: column.text.neverNull,
    occurredAt: column.timestamp,
  },
  text: `
    SELECT d.id, d.title, d.path, array_to_string(d.tags || d.text_tags, ' ') AS tags,
      left(coalesce(t.content, t.search_text, ''), ${MAX_SEARCHED_CHARACTERS}) AS text, d.modified_at AS "occurredAt"
    FROM documents d LEFT JOIN document_texts t ON t.document_id = d.id
    WHERE d.id = ANY($1::uuid[]) AND d.deleted_at IS NULL`,
});

/** Documents for the search over everything. */
export const readSearchedDocuments: ReadSearchedRows = async (db, ids) =>
  (await searchedDocuments.all(db, [ids])).map(({ tags, ...document }) => ({
    ...document,
    shownId: document.id,
    keywords: `${document.path} ${tags}`,
  }));
