import type { PoolClient } from "@workspace/db";
import type { Queryable } from "./document.queries.ts";
import type { DocumentVersion } from "./document.schema.ts";

const COLUMNS = `
  id, document_id AS "documentId", path, size_bytes AS size, content_hash AS "contentHash", created_at AS "createdAt"`;

export interface NewVersion {
  readonly id: string;
  readonly documentId: string;
  readonly path: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
}

/**
 * Records versions, and makes the transaction wait for the disk: what is not recorded would be swept away. Leaves out those
 * of documents whose newest version has the same content.
 */
export async function insertVersions(db: PoolClient, versions: readonly NewVersion[]): Promise<void> {
  if (versions.length === 0) return;
  await db.query({
    name: "insert-document-versions",
    text: `
      WITH durable AS MATERIALIZED (SELECT set_config('synchronous_commit', 'on', true))
      INSERT INTO document_versions (id, document_id, path, content_hash, size_bytes, created_at)
      SELECT v.* FROM durable,
        unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[])
          AS v (id, document_id, path, content_hash, size_bytes, created_at)
      WHERE v.content_hash IS DISTINCT FROM (
        SELECT content_hash FROM document_versions WHERE document_id = v.document_id
        ORDER BY created_at DESC, id DESC LIMIT 1)`,
    values: [
      versions.map(({ id }) => id),
      versions.map(({ documentId }) => documentId),
      versions.map(({ path }) => path),
      versions.map(({ contentHash }) => contentHash),
      versions.map(({ sizeBytes }) => sizeBytes),
      versions.map(({ createdAt }) => createdAt),
    ],
  });
}

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
