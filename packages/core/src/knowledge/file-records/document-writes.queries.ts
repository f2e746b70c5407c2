import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import { toSearchText } from "../../platform/fold-text.ts";
import { linkNameOf } from "../markdown/wiki-links.ts";
import type { FileStat } from "../vault/file-stat.ts";
import { modifiedAtOf, toDate } from "../vault/file-stat.ts";
import { nameOf, parentOf, type VaultPath } from "../vault/vault-path.ts";
import type { DocumentContent } from "./document-content.ts";
import type { FileIdentity } from "./document-identity.ts";

/** A file to record. */
export interface DocumentRecord {
  /** The id of a new document, used if there is none at the path yet. */
  readonly newId: string;
  readonly path: VaultPath;
  readonly stat: FileStat;
  readonly content: DocumentContent;
  readonly modifiedAt: Date;
  /** The creator of a new document. */
  readonly creatorId: string;
  /** Who wrote the content; null if it is not known, because another program did. */
  readonly author: Author | null;
  /** The content that the file replaced, if it is kept as a version. */
  readonly replaced?: ReplacedContent | null;
}

/** The content of a file before it was overwritten. */
export interface ReplacedContent {
  /** The id of the version that it becomes. */
  readonly versionId: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  /** When it was written. */
  readonly createdAt: Date;
}

/** The place of a document in the vault. */
const PLACE = { id: column.uuid, path: column.text.as<VaultPath>(), title: column.text };
export type DocumentPlace = Readonly<RowOf<typeof PLACE>>;

const RECORDED = { ...PLACE, isNew: column.boolean.neverNull };
export type RecordedDocument = Readonly<RowOf<typeof RECORDED>>;

const ROWS = `jsonb_to_recordset($1::jsonb) AS r (
  id uuid, title text, path text, directory text, "linkName" text, "fileType" file_type, tags text[], "textTags" text[],
  "contentHash" text, "sizeBytes" bigint, "mtimeNs" bigint, inode bigint, "birthtimeNs" bigint, "createdAt" timestamptz,
  "modifiedAt" timestamptz, "searchText" text, "creatorId" uuid, links jsonb, "versionId" uuid, "replacedHash" text,
  "replacedSize" bigint, "replacedAt" timestamptz, author jsonb)`;

/** A text file keeps the title that a person gave it, because it cannot contain one. */
const TITLE = `CASE WHEN d.file_type = 'text' AND excluded.file_type = 'text' THEN d.title ELSE excluded.title END`;
const TAGS = `CASE WHEN d.file_type = 'text' AND excluded.file_type = 'text' THEN d.tags ELSE excluded.tags END`;

/** Used only if something was replaced: without it, the mirror, which replaces nothing, records files a fifth faster. */
const VERSIONS = `
      , durable AS MATERIALIZED (
        SELECT set_config('synchronous_commit', 'on', true) FROM r WHERE r."versionId" IS NOT NULL LIMIT 1
      ),
      versions AS (
        INSERT INTO document_versions (id, document_id, path, content_hash, size_bytes, created_at, author)
        SELECT r."versionId", put.id, r.path, r."replacedHash", r."replacedSize", r."replacedAt", before.author
        FROM durable, put JOIN r ON r.path = put.path
          -- As it was when the statement began. What another program has written since then has no known author.
          LEFT JOIN documents before ON before.id = put.id AND before.content_hash = r."replacedHash"
        WHERE r."versionId" IS NOT NULL AND r."replacedHash" IS DISTINCT FROM (
          SELECT content_hash FROM document_versions v WHERE v.document_id = put.id
          ORDER BY created_at DESC, id DESC LIMIT 1)
      )`;

const putStatement = (versions: string): string => `
    WITH r AS MATERIALIZED (SELECT * FROM ${ROWS}),
    put AS (
      INSERT INTO documents AS d (id, title, path, directory, link_name, file_type, tags, text_tags, content_hash, size_bytes,
                                  mtime_ns, inode, birthtime_ns, created_at, modified_at, search_text, creator_id, author)
      SELECT id, title, path, directory, "linkName", "fileType", tags, "textTags", "contentHash", "sizeBytes", "mtimeNs",
             inode, "birthtimeNs", "createdAt", "modifiedAt", "searchText", "creatorId", author FROM r
      ON CONFLICT (path) WHERE deleted_at IS NULL DO UPDATE SET
        title = ${TITLE}, tags = ${TAGS}, text_tags = excluded.text_tags, file_type = excluded.file_type, content_hash = excluded.content_hash,
        size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns, inode = excluded.inode,
        birthtime_ns = excluded.birthtime_ns, link_name = excluded.link_name, directory = excluded.directory,
        modified_at = CASE WHEN d.content_hash = excluded.content_hash THEN d.modified_at ELSE excluded.modified_at END,
        author = CASE WHEN d.content_hash = excluded.content_hash THEN d.author ELSE excluded.author END,
        search_text = CASE WHEN ${TITLE} = d.title THEN d.search_text ELSE excluded.search_text END
      RETURNING d.id, d.path, d.title, (xmax = 0) AS "isNew"
    ),
    links AS (
      SELECT put.id, link.position, link.target, link."targetName", link.part
      FROM put JOIN r ON r.path = put.path,
        jsonb_to_recordset(r.links) AS link (position int, target text, "targetName" text, part text)
    ),
    linked AS (
      INSERT INTO document_links (document_id, position, target, target_name, part) SELECT * FROM links
      ON CONFLICT (document_id, position) DO UPDATE
        SET target = excluded.target, target_name = excluded.target_name, part = excluded.part
    ),
    unlinked AS (
      DELETE FROM document_links l USING put
      WHERE l.document_id = put.id
        AND l.position >= (SELECT jsonb_array_length(r.links) FROM r WHERE r.path = put.path)
    )
    ${versions}
    SELECT id, path, title, "isNew" FROM put`;

const recorded = defineQuery({ name: "put-documents", row: RECORDED, isPrepared: true, text: putStatement("") });

const recordedWithVersions = defineQuery({
  name: "put-documents-and-versions",
  row: RECORDED,
  isPrepared: true,
  text: putStatement(VERSIONS),
});

/**
 * Records files with distinct paths by updating the documents at these paths or creating new ones. Sharing and project are
 * preserved, and so is `modifiedAt` if the content is the same.
 *
 * Replaced content becomes a version, unless it equals the document's newest version. In that case the commit is durable,
 * because the content of an unrecorded version would be swept away.
 */
export async function putDocuments(db: PoolClient, records: readonly DocumentRecord[]): Promise<RecordedDocument[]> {
  if (records.length === 0) return [];
  const isReplacing = records.some(({ replaced }) => replaced !== undefined && replaced !== null);
  return (isReplacing ? recordedWithVersions : recorded).all(db, [JSON.stringify(records.map(toRow))]);
}

const takenIds = defineQuery({
  name: "select-taken-ids",
  row: { id: column.uuid },
  text: "SELECT id FROM documents WHERE id = ANY($1::uuid[])",
});

/** Those of the ids that documents have, deleted or not, in lower case. */
export async function selectTakenIds(db: PoolClient, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await takenIds.all(db, [ids])).map(({ id }) => id));
}

const movedDocuments = defineCommand({
  name: "move-documents",
  text: `
    UPDATE documents d SET path = r.path, title = r.title, directory = r.directory, link_name = r."linkName",
      search_text = r."searchText"
    FROM jsonb_to_recordset($1::jsonb) AS r (id uuid, path text, title text, directory text, "linkName" text, "searchText" text)
    WHERE d.id = r.id`,
});

/** Changes the paths and titles of documents. Two documents cannot swap theirs in one call. */
export async function moveDocuments(db: PoolClient, moves: readonly DocumentPlace[]): Promise<void> {
  const rows = moves.map(({ id, path, title }) => ({
    id,
    path,
    title,
    directory: parentOf(path),
    linkName: linkNameOf(path),
    searchText: toSearchText(title, path),
  }));
  await movedDocuments.run(db, [JSON.stringify(rows)]);
}

const documentsWithin = defineQuery({
  name: "select-documents-within",
  row: PLACE,
  text: `
    SELECT id, path, title FROM documents
    WHERE deleted_at IS NULL AND (path = $1 OR directory = $1 OR starts_with(directory, $1 || '/'))`,
});

/** The active documents at a path and anywhere below it. */
export function selectDocumentsWithin(db: Queryable, path: VaultPath): Promise<DocumentPlace[]> {
  return documentsWithin.all(db, [path]);
}

const deletedDocuments = defineCommand({
  name: "mark-documents-deleted",
  text: `
    UPDATE documents d SET deleted_at = $2, trash_key = r."trashKey"
    FROM jsonb_to_recordset($1::jsonb) AS r (id uuid, "trashKey" text) WHERE d.id = r.id AND d.deleted_at IS NULL`,
});

/** Marks documents as deleted; `trashKey` identifies their files in the trash, if they are there. */
export async function markDeleted(
  db: PoolClient,
  documents: readonly { readonly id: string; readonly trashKey: string | null }[],
  deletedAt: Date,
): Promise<void> {
  await deletedDocuments.run(db, [JSON.stringify(documents), deletedAt]);
}

const restoredDocument = defineCommand({
  name: "mark-document-restored",
  text: `
    UPDATE documents SET deleted_at = NULL, trash_key = NULL, mtime_ns = $2, inode = $3, birthtime_ns = $4 WHERE id = $1`,
});

/** Marks a deleted document as active again, with the metadata of its file. */
export async function markRestored(db: PoolClient, id: string, stat: FileStat): Promise<void> {
  await restoredDocument.run(db, [id, stat.mtimeNs, stat.inode, stat.birthtimeNs]);
}

function toRow({ newId, path, stat, content, modifiedAt, creatorId, author, replaced }: DocumentRecord) {
  const { title, tags, textTags, fileType, contentHash, sizeBytes, links } = content;
  return {
    id: newId,
    title,
    path,
    directory: parentOf(path),
    linkName: linkNameOf(nameOf(path)),
    fileType,
    tags,
    textTags,
    contentHash,
    sizeBytes,
    mtimeNs: String(stat.mtimeNs),
    inode: String(stat.inode),
    birthtimeNs: String(stat.birthtimeNs),
    createdAt: earliest(stat).toISOString(),
    modifiedAt: modifiedAt.toISOString(),
    searchText: toSearchText(title, path),
    creatorId,
    author,
    links: links.map(({ target, part }, position) => ({ position, target, targetName: linkNameOf(target), part })),
    versionId: replaced?.versionId,
    replacedHash: replaced?.contentHash,
    replacedSize: replaced?.sizeBytes,
    replacedAt: replaced?.createdAt.toISOString(),
  };
}

/** A copy can be younger than its content, and some file systems do not record birth times. */
function earliest(stat: FileStat): Date {
  const { birthtimeNs, mtimeNs } = stat;
  return birthtimeNs > 0n && birthtimeNs < mtimeNs ? toDate(birthtimeNs) : modifiedAtOf(stat);
}

const moveCandidates = defineQuery({
  name: "select-move-candidates",
  row: {
    ...PLACE,
    inode: column.bigint,
    birthtimeNs: column.bigint,
    contentHash: column.text,
    sizeBytes: column.safeInteger,
  },
  text: `
    SELECT id, path, title, inode, birthtime_ns AS "birthtimeNs", content_hash AS "contentHash", size_bytes AS "sizeBytes"
    FROM documents WHERE deleted_at IS NULL AND (path = $1 OR inode = $2 OR content_hash = $3) ORDER BY path LIMIT 200`,
});

/**
 * Active documents whose file could be the given one under another path, with the same inode or content. Includes the
 * document at the path itself, if there is one.
 */
export async function selectMoveCandidates(
  db: Queryable,
  { path, inode, contentHash }: FileIdentity,
): Promise<(FileIdentity & DocumentPlace)[]> {
  const rows = await moveCandidates.all(db, [path, inode, contentHash]);
  return rows.map((row) => ({ ...row, inode: BigInt(row.inode), birthtimeNs: BigInt(row.birthtimeNs) }));
}
