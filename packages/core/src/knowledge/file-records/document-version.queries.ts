import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import type { DocumentVersion } from "./document-record.schema.ts";

const VERSION = {
  id: column.uuid,
  documentId: column.uuid,
  path: column.text,
  size: column.safeInteger,
  contentHash: column.text,
  createdAt: column.timestamp,
  author: column.json.as<Author>().nullable,
};

const COLUMNS = `
  id, document_id AS "documentId", path, size_bytes AS size, content_hash AS "contentHash", created_at AS "createdAt", author`;

const versionsByAge = defineQuery({
  name: "select-versions",
  row: VERSION,
  text: `SELECT ${COLUMNS} FROM document_versions WHERE document_id = $1 ORDER BY created_at DESC, id DESC`,
});

/** The versions of a document, newest first. */
export function selectVersions(db: Queryable, documentId: string): Promise<DocumentVersion[]> {
  return versionsByAge.all(db, [documentId]);
}

const versionById = defineQuery({
  name: "select-version",
  row: VERSION,
  text: `SELECT ${COLUMNS} FROM document_versions WHERE document_id = $1 AND id = $2`,
});

export function selectVersion(db: Queryable, documentId: string, id: string): Promise<DocumentVersion | null> {
  return versionById.first(db, [documentId, id]);
}

const deletedVersions = defineCommand({
  name: "delete-versions",
  text: "DELETE FROM document_versions WHERE id = ANY($1::uuid[])",
});

export async function deleteVersions(db: Queryable, ids: readonly string[]): Promise<void> {
  await deletedVersions.run(db, [ids]);
}

const unusedHashes = defineQuery({
  name: "select-unused-hashes",
  row: { hash: column.text.neverNull },
  text: `
    SELECT hash FROM unnest($1::text[]) AS hash
    WHERE NOT EXISTS (SELECT FROM document_versions WHERE content_hash = hash)`,
});

/** The hashes that no version refers to. */
export async function selectUnusedHashes(db: Queryable, hashes: readonly string[]): Promise<string[]> {
  return (await unusedHashes.all(db, [hashes])).map(({ hash }) => hash);
}

const documentsWithManyVersions = defineQuery({
  name: "select-documents-with-many-versions",
  row: { id: column.uuid },
  text: `
    SELECT document_id AS id FROM document_versions GROUP BY document_id HAVING count(*) > $1 LIMIT 1000`,
});

/** The ids of up to 1,000 documents with more than a given number of versions. */
export async function selectDocumentsWithManyVersions(db: Queryable, moreThan: number): Promise<string[]> {
  return (await documentsWithManyVersions.all(db, [moreThan])).map(({ id }) => id);
}
