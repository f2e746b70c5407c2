import type { Queryable } from "./document.queries.ts";
import type { DocumentVersion } from "./document.schema.ts";

const COLUMNS = `
  id, document_id AS "documentId", path, size_bytes AS size, content_hash AS "contentHash", created_at AS "createdAt"`;

/** Newest first. */
export async function selectVersions(db: Queryable, documentId: string): Promise<DocumentVersion[]> {
  const { rows } = await db.query<DocumentVersion>(
    `SELECT ${COLUMNS} FROM document_versions WHERE document_id = $1 ORDER BY created_at DESC, id DESC`,
    [documentId],
  );
  return rows;
}

export async function selectVersion(db: Queryable, documentId: string, id: string): Promise<DocumentVersion | null> {
  const { rows } = await db.query<DocumentVersion>(
    `SELECT ${COLUMNS} FROM document_versions WHERE document_id = $1 AND id = $2`,
    [documentId, id],
  );
  return rows[0] ?? null;
}

export async function deleteVersions(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query("DELETE FROM document_versions WHERE id = ANY($1::uuid[])", [ids]);
}

/** Those of the hashes that no version has. */
export async function selectUnusedHashes(db: Queryable, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ hash: string }>(
    `SELECT hash FROM unnest($1::text[]) AS hash
     WHERE NOT EXISTS (SELECT FROM document_versions WHERE content_hash = hash)`,
    [hashes],
  );
  return rows.map(({ hash }) => hash);
}

/** The documents with more versions than a number, a few at a time. */
export async function selectDocumentsWithManyVersions(db: Queryable, moreThan: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT document_id AS id FROM document_versions GROUP BY document_id HAVING count(*) > $1 LIMIT 1000`,
    [moreThan],
  );
  return rows.map(({ id }) => id);
}
