import { column, defineCommand, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import { foldLongText } from "../../platform/fold-text.ts";
import { encodeTextArray } from "../../platform/text-pieces.ts";
import type { NoteProperties } from "../markdown/properties.ts";
import type { VaultPath } from "../vault/vault-path.ts";

/** A document whose text has to be indexed. */
const UNINDEXED = { id: column.uuid, path: column.text.as<VaultPath>(), contentHash: column.text };
export type UnindexedDocument = Readonly<RowOf<typeof UNINDEXED>>;

export interface IndexedText {
  readonly documentId: string;
  readonly contentHash: string;
  /** The whole text, for restoring the file; null if that is not necessary or not possible. */
  readonly content: string | null;
  /** The text to search. */
  readonly text: string;
  /** Null for a file that is not Markdown. */
  readonly properties: NoteProperties | null;
}

const unindexedIds = defineQuery({
  name: "select-unindexed-ids",
  row: { id: column.uuid },
  text: `
    SELECT d.id FROM documents d LEFT JOIN document_texts t ON t.document_id = d.id
      LEFT JOIN document_properties p ON p.document_id = d.id
    WHERE d.deleted_at IS NULL AND d.file_type <> 'binary' AND (t.content_hash IS DISTINCT FROM d.content_hash
      OR (d.file_type = 'markdown' AND p.content_hash IS DISTINCT FROM d.content_hash))`,
});

/** The ids of active documents whose text is missing or outdated. */
export async function selectUnindexedIds(db: Queryable): Promise<string[]> {
  return (await unindexedIds.all(db)).map(({ id }) => id);
}

const indexable = defineQuery({
  name: "select-indexable",
  row: UNINDEXED,
  text: `
    SELECT id, path, content_hash AS "contentHash" FROM documents
    WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL AND file_type <> 'binary'`,
});

/** The documents with these ids, except deleted and binary ones. */
export function selectIndexable(db: Queryable, ids: readonly string[]): Promise<UnindexedDocument[]> {
  return indexable.all(db, [ids]);
}

const storedTexts = defineCommand({
  name: "put-texts",
  text: `
    WITH given AS MATERIALIZED (
      SELECT t.* FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
          AS t (id, hash, content, search, shown, folded)
        JOIN documents d ON d.id = t.id
    ), properties AS (
      INSERT INTO document_properties (document_id, content_hash, shown, folded)
      SELECT id, hash, shown::jsonb, folded::jsonb FROM given WHERE shown IS NOT NULL
      ON CONFLICT (document_id) DO UPDATE
        SET content_hash = excluded.content_hash, shown = excluded.shown, folded = excluded.folded
    )
    INSERT INTO document_texts AS t (document_id, content_hash, content, search_text)
    SELECT id, hash, content, search FROM given
    ON CONFLICT (document_id) DO UPDATE
      SET content_hash = excluded.content_hash, content = excluded.content, search_text = excluded.search_text
      WHERE t.content_hash <> excluded.content_hash OR t.content IS DISTINCT FROM excluded.content`,
});

/** Stores texts and properties of documents that still exist. */
export async function putTexts(db: Queryable, texts: readonly IndexedText[]): Promise<void> {
  const searchTexts: string[] = [];
  for (const { text } of texts) searchTexts.push(await foldLongText(text));
  await storedTexts.run(db, [
    texts.map(({ documentId }) => documentId),
    texts.map(({ contentHash }) => contentHash),
    await encodeTextArray(texts.map(({ content }) => content)),
    await encodeTextArray(searchTexts),
    texts.map(({ properties }) => (properties === null ? null : JSON.stringify(properties.shown))),
    texts.map(({ properties }) => (properties === null ? null : JSON.stringify(properties.folded))),
  ]);
}
