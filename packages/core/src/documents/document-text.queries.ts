import { toSearchText } from "../platform/fold-text.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { Queryable } from "./document.queries.ts";

/** A document whose text is to be stored. */
export interface UnindexedDocument {
  readonly id: string;
  readonly path: VaultPath;
  readonly contentHash: string;
}

export interface IndexedText {
  readonly documentId: string;
  readonly contentHash: string;
  /** Kept whole for restoring; null where it need not or cannot be. */
  readonly content: string | null;
  /** What is searched in. */
  readonly text: string;
}

/** The ids of active documents whose text is not stored, or not the present one. */
export async function selectUnindexedIds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT d.id FROM documents d LEFT JOIN document_texts t ON t.document_id = d.id
     WHERE d.deleted_at IS NULL AND d.file_type <> 'binary' AND t.content_hash IS DISTINCT FROM d.content_hash`,
  );
  return rows.map(({ id }) => id);
}

/** Where the files of documents are; deleted and binary ones are left out. */
export async function selectIndexable(db: Queryable, ids: readonly string[]): Promise<UnindexedDocument[]> {
  const { rows } = await db.query<UnindexedDocument>(
    `SELECT id, path, content_hash AS "contentHash" FROM documents
     WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL AND file_type <> 'binary'`,
    [ids],
  );
  return rows;
}

/** Stores texts, each only where its document still exists. */
export async function putTexts(db: Queryable, texts: readonly IndexedText[]): Promise<void> {
  await db.query(
    `INSERT INTO document_texts (document_id, content_hash, content, search_text)
     SELECT t.* FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS t (id, hash, content, search)
       JOIN documents d ON d.id = t.id
     ON CONFLICT (document_id) DO UPDATE
       SET content_hash = excluded.content_hash, content = excluded.content, search_text = excluded.search_text`,
    [
      texts.map(({ documentId }) => documentId),
      texts.map(({ contentHash }) => contentHash),
      texts.map(({ content }) => content),
      texts.map(({ text }) => toSearchText(text)),
    ],
  );
}
