import { column, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import { toSearchPattern } from "../../platform/fold-text.ts";
import type { VaultPath } from "../vault/vault-path.ts";

const mentioning = defineQuery({
  name: "select-mentioning-ids",
  row: { id: column.uuid },
  text: `
    SELECT d.id FROM document_texts t JOIN documents d ON d.id = t.document_id
    WHERE t.search_text LIKE ANY($1::text[]) AND t.content IS NOT NULL AND d.deleted_at IS NULL AND d.id <> $2
    ORDER BY d.modified_at DESC, d.id DESC LIMIT $3`,
});

/** The ids of active notes that contain any of some names, except one note, the most recently changed first. */
export async function selectMentioningIds(
  db: Queryable,
  names: readonly string[],
  exceptId: string,
  limit: number,
): Promise<string[]> {
  return (await mentioning.all(db, [names.map(toSearchPattern), exceptId, limit])).map(({ id }) => id);
}

const TEXT = {
  id: column.uuid,
  title: column.text,
  path: column.text.as<VaultPath>(),
  content: column.text.neverNull,
};

const texts = defineQuery({
  name: "select-stored-texts",
  row: TEXT,
  text: `
    SELECT d.id, d.title, d.path, t.content FROM documents d JOIN document_texts t ON t.document_id = d.id
    WHERE d.id = ANY($1::uuid[]) AND d.deleted_at IS NULL AND t.content IS NOT NULL
    ORDER BY d.modified_at DESC, d.id DESC`,
});

/** The stored texts of active notes, the most recently changed first. */
export function selectStoredTexts(db: Queryable, ids: readonly string[]): Promise<RowOf<typeof TEXT>[]> {
  return texts.all(db, [ids]);
}
