import {
  column,
  defineCommand,
  defineComposedQuery,
  defineQuery,
  FileType,
  ShareType,
  type PoolClient,
  type Queryable,
  type RowOf,
} from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import { toSearchPattern } from "../../platform/fold-text.ts";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import { childOf, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import type { Document } from "./document-record.schema.ts";
import { hasTag } from "./document-tag.queries.ts";

/** A document as clients see it. */
const DOCUMENT = {
  id: column.uuid,
  title: column.text,
  path: column.text.as<VaultPath>(),
  fileType: column.oneOf(FileType),
  shared: column.boolean,
  shareType: column.oneOf(ShareType).nullable,
  tags: column.texts.neverNull,
  textTags: column.texts.neverNull,
  projectId: column.uuid.nullable,
  projectName: column.text.nullable,
  projectColor: column.text.nullable,
  size: column.safeInteger,
  contentHash: column.text,
  createdAt: column.timestamp,
  modifiedAt: column.timestamp,
  deletedAt: column.timestamp.nullable,
};

const STORED_DOCUMENT = {
  ...DOCUMENT,
  creatorId: column.uuid,
  author: column.json.as<Author>().nullable,
  creatorName: column.text,
  trashKey: column.text.nullable,
};

/** A document with internal fields. */
export interface StoredDocument extends Document {
  readonly path: VaultPath;
  readonly creatorId: string;
  /** Who wrote the content; null if that is not known. */
  readonly author: Author | null;
  readonly creatorName: string;
  readonly trashKey: string | null;
}

const COLUMNS = `
  d.id, d.title, d.path, d.file_type AS "fileType", d.shared, d.share_type AS "shareType", d.tags, d.text_tags AS "textTags",
  d.project_id AS "projectId", p.name AS "projectName", p.color AS "projectColor", d.size_bytes AS size,
  d.content_hash AS "contentHash", d.created_at AS "createdAt", d.modified_at AS "modifiedAt", d.deleted_at AS "deletedAt"`;

const STORED_COLUMNS = `${COLUMNS}, d.creator_id AS "creatorId", d.author, u.name AS "creatorName", d.trash_key AS "trashKey"`;

const PROJECT = "LEFT JOIN projects p ON p.id = d.project_id";
const PROJECT_AND_CREATOR = `${PROJECT} JOIN users u ON u.id = d.creator_id`;

/** Two index lookups; a single condition would scan all documents. */
const matchingIds = (pattern: string) => `
  SELECT id FROM documents WHERE search_text LIKE ${pattern}
  UNION SELECT document_id FROM document_texts WHERE search_text LIKE ${pattern}`;

/** The filter of a list; undefined fields match everything. */
export interface DocumentFilter {
  readonly includeDeleted?: boolean | undefined;
  readonly onlyDeleted?: boolean | undefined;
  readonly projectId?: string | undefined;
  readonly fileType?: FileType | undefined;
  /** Part of the title, text or path; case-insensitive. */
  readonly search?: string | undefined;
  /** A tag, in whatever case; those nested in it count, too. */
  readonly tag?: string | undefined;
  /** Only what is in this folder or below it; the root for everything. */
  readonly folder?: VaultPath | undefined;
}

const documentsByChange = defineComposedQuery({
  name: "select-documents",
  row: DOCUMENT,
  compose: (list: DocumentFilter & PageRange<TimeAndId>, bind) => {
    const { includeDeleted, onlyDeleted, projectId, fileType, search, tag, folder, after, limit } = list;
    const conditions: string[] = [];
    if (onlyDeleted === true) conditions.push("d.deleted_at IS NOT NULL");
    else if (includeDeleted !== true) conditions.push("d.deleted_at IS NULL");
    if (projectId !== undefined) conditions.push(`d.project_id = ${bind(projectId)}`);
    if (fileType !== undefined) conditions.push(`d.file_type = ${bind(fileType)}::file_type`);
    if (search !== undefined && search !== "") {
      conditions.push(`d.id IN (${matchingIds(bind(toSearchPattern(search)))})`);
    }
    if (tag !== undefined) conditions.push(hasTag("d", bind(tag)));
    if (folder !== undefined && folder !== "") conditions.push(`starts_with(d.path, ${bind(`${folder}/`)})`);
    if (after !== undefined) {
      conditions.push(`(d.modified_at, d.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    }
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const limitClause = limit === undefined ? "" : `LIMIT ${bind(limit)}`;
    return `
      SELECT ${COLUMNS} FROM documents d ${PROJECT} ${where} ORDER BY d.modified_at DESC, d.id DESC ${limitClause}`;
  },
  examples: [
    {
      includeDeleted: false,
      onlyDeleted: false,
      projectId: "",
      fileType: "markdown",
      search: "a",
      tag: "a",
      folder: childOf(VAULT_ROOT, "a"),
      after: ["", ""],
      limit: 1,
    },
    { includeDeleted: true, after: undefined, limit: undefined },
    { onlyDeleted: true, after: undefined, limit: undefined },
  ],
});

/** A page of the documents that match the filter, most recently changed first. */
export async function selectDocuments(
  db: Queryable,
  filter: DocumentFilter,
  range: PageRange<TimeAndId>,
): Promise<Document[]> {
  return (await documentsByChange.all(db, { ...filter, ...range })).map(toDocument);
}

const documentById = defineQuery({
  name: "select-document",
  row: STORED_DOCUMENT,
  isPrepared: true,
  text: `SELECT ${STORED_COLUMNS} FROM documents d ${PROJECT_AND_CREATOR} WHERE d.id = $1`,
});

/** A document, deleted or not; null if there is none. */
export async function selectDocument(db: Queryable, id: string): Promise<StoredDocument | null> {
  return toStoredDocument(await documentById.first(db, [id]));
}

const lockedDocument = defineCommand({
  name: "lock-document",
  text: "SELECT FROM documents WHERE id = $1 FOR UPDATE",
});

/** Like {@link selectDocument}, locked until the end of the transaction. */
export async function selectDocumentForUpdate(db: PoolClient, id: string): Promise<StoredDocument | null> {
  await lockedDocument.run(db, [id]);
  return selectDocument(db, id);
}

const documentByPath = defineQuery({
  name: "select-document-by-path",
  row: STORED_DOCUMENT,
  isPrepared: true,
  text: `SELECT ${STORED_COLUMNS} FROM documents d ${PROJECT_AND_CREATOR} WHERE d.path = $1 AND d.deleted_at IS NULL`,
});

/** The active document at a path. */
export async function selectActiveDocument(db: Queryable, path: string): Promise<StoredDocument | null> {
  return toStoredDocument(await documentByPath.first(db, [path]));
}

const storedContent = defineQuery({
  name: "select-stored-content",
  row: { content: column.text.nullable },
  text: `
    SELECT t.content FROM document_texts t JOIN documents d ON d.id = t.document_id
    WHERE t.document_id = $1 AND t.content_hash = d.content_hash`,
});

/** The stored Markdown text of a document, if it is up to date. */
export async function selectStoredContent(db: Queryable, id: string): Promise<string | null> {
  return (await storedContent.first(db, [id]))?.content ?? null;
}

function toStoredDocument(row: RowOf<typeof STORED_DOCUMENT> | null): StoredDocument | null {
  if (row === null) return null;
  const { path, creatorId, author, creatorName, trashKey } = row;
  return { ...toDocument(row), path, creatorId, author, creatorName, trashKey };
}

/** Lists every field, because rest properties would be the most expensive part of this. */
function toDocument(row: RowOf<typeof DOCUMENT>): Document {
  const { projectId, projectName, projectColor } = row;
  return {
    id: row.id,
    title: row.title,
    path: row.path,
    fileType: row.fileType,
    shared: row.shared,
    shareType: row.shareType,
    tags: row.tags,
    textTags: row.textTags,
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
