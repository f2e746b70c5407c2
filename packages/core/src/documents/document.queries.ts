import type { Pool, PoolClient } from "@workspace/db";
import { toSearchPattern } from "../platform/fold-text.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { Document, ListDocuments } from "./document.schema.ts";

export type Queryable = Pool | PoolClient;

interface DocumentRow extends Omit<Document, "project"> {
  projectName: string | null;
  projectColor: string | null;
}

/** A document with what only the service itself needs to know. */
export interface StoredDocument extends Document {
  readonly path: VaultPath;
  readonly creatorId: string;
  readonly creatorName: string;
  readonly trashKey: string | null;
}

export interface DocumentListPosition {
  readonly modifiedAt: string;
  readonly id: string;
}

const COLUMNS = `
  d.id, d.title, d.path, d.file_type AS "fileType", d.shared, d.share_type AS "shareType", d.tags,
  d.project_id AS "projectId", p.name AS "projectName", p.color AS "projectColor", d.size_bytes AS size,
  d.content_hash AS "contentHash", d.created_at AS "createdAt", d.modified_at AS "modifiedAt", d.deleted_at AS "deletedAt"`;

const STORED_COLUMNS = `${COLUMNS}, d.creator_id AS "creatorId", u.name AS "creatorName", d.trash_key AS "trashKey"`;

const PROJECT = "LEFT JOIN projects p ON p.id = d.project_id";
const PROJECT_AND_CREATOR = `${PROJECT} JOIN users u ON u.id = d.creator_id`;

/** Two look-ups in two indexes; as one condition it would read every document. */
const MATCHING_IDS = (pattern: string) => `
  SELECT id FROM documents WHERE search_text LIKE ${pattern}
  UNION SELECT document_id FROM document_texts WHERE search_text LIKE ${pattern}`;

/** Documents that match every filter, newest change first, at most `limit`, after a position. */
export async function selectDocuments(
  db: Queryable,
  filter: Omit<ListDocuments, "limit" | "cursor">,
  page: { limit: number | undefined; after: DocumentListPosition | undefined },
): Promise<Document[]> {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;

  if (filter.includeDeleted !== true) conditions.push("d.deleted_at IS NULL");
  if (filter.projectId !== undefined) conditions.push(`d.project_id = ${bind(filter.projectId)}`);
  if (filter.fileType !== undefined) conditions.push(`d.file_type = ${bind(filter.fileType)}::file_type`);
  if (filter.search !== undefined && filter.search !== "") {
    conditions.push(`d.id IN (${MATCHING_IDS(bind(toSearchPattern(filter.search)))})`);
  }
  if (page.after !== undefined) {
    conditions.push(
      `(d.modified_at, d.id) < (${bind(page.after.modifiedAt)}::timestamptz, ${bind(page.after.id)}::uuid)`,
    );
  }
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const limit = page.limit === undefined ? "" : `LIMIT ${bind(page.limit)}`;
  const text = `SELECT ${COLUMNS} FROM documents d ${PROJECT} ${where} ORDER BY d.modified_at DESC, d.id DESC ${limit}`;
  const { rows } = await db.query<DocumentRow>(text, values);
  return rows.map(toDocument);
}

/** One document, deleted or not; null where there is none. */
export async function selectDocument(db: Queryable, id: string): Promise<StoredDocument | null> {
  const { rows } = await db.query<DocumentRow & StoredDocument>({
    name: "select-document",
    text: `SELECT ${STORED_COLUMNS} FROM documents d ${PROJECT_AND_CREATOR} WHERE d.id = $1`,
    values: [id],
  });
  return toStoredDocument(rows[0]);
}

/** As {@link selectDocument}, locked until the transaction ends. */
export async function selectDocumentForUpdate(db: PoolClient, id: string): Promise<StoredDocument | null> {
  await db.query("SELECT FROM documents WHERE id = $1 FOR UPDATE", [id]);
  return selectDocument(db, id);
}

/** The document that is at a path now. */
export async function selectActiveDocument(db: Queryable, path: string): Promise<StoredDocument | null> {
  const { rows } = await db.query<DocumentRow & StoredDocument>({
    name: "select-document-by-path",
    text: `SELECT ${STORED_COLUMNS} FROM documents d ${PROJECT_AND_CREATOR} WHERE d.path = $1 AND d.deleted_at IS NULL`,
    values: [path],
  });
  return toStoredDocument(rows[0]);
}

/** The Markdown that a document had when its text was last stored, if that is its present content. */
export async function selectStoredContent(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await db.query<{ content: string | null }>(
    `SELECT t.content FROM document_texts t JOIN documents d ON d.id = t.document_id
     WHERE t.document_id = $1 AND t.content_hash = d.content_hash`,
    [id],
  );
  return rows[0]?.content ?? null;
}

export async function isActiveProject(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM projects WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE", [id]);
  return rowCount === 1;
}

function toStoredDocument(row: (DocumentRow & StoredDocument) | undefined): StoredDocument | null {
  if (row === undefined) return null;
  const { path, creatorId, creatorName, trashKey } = row;
  return { ...toDocument(row), path, creatorId, creatorName, trashKey };
}

/** Spelled out, because copying the rest of a row costs more than all else here. */
function toDocument(row: DocumentRow): Document {
  const { projectId, projectName, projectColor } = row;
  return {
    id: row.id,
    title: row.title,
    path: row.path,
    fileType: row.fileType,
    shared: row.shared,
    shareType: row.shareType,
    tags: row.tags,
    projectId,
    project:
      projectId === null || projectName === null || projectColor === null
        ? null
        : { id: projectId, name: projectName, color: projectColor },
    size: row.size,
    contentHash: row.contentHash,
    createdAt: row.createdAt,
    modifiedAt: row.modifiedAt,
    deletedAt: row.deletedAt,
  };
}
