import type { PoolClient } from "@workspace/db";
import type { Queryable } from "../documents/document.queries.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { RecordedFile } from "./mirrored-file.ts";

const COLUMNS = `id, path, title, inode, birthtime_ns AS "birthtimeNs", mtime_ns AS "mtimeNs",
  content_hash AS "contentHash", size_bytes AS "sizeBytes"`;

type Integer = number | bigint;

interface RecordedRow extends Record<"inode" | "birthtimeNs" | "mtimeNs" | "sizeBytes", Integer> {
  readonly id: string;
  readonly path: VaultPath;
  readonly title: string;
  readonly contentHash: string;
}

/** What the mirror knows of every file. */
export async function selectAllRecorded(db: Queryable): Promise<RecordedFile[]> {
  const { rows } = await db.query<RecordedRow>(`SELECT ${COLUMNS} FROM documents WHERE deleted_at IS NULL`);
  return rows.map(toRecorded);
}

/** What the mirror knows of the files at some paths, directly in some directories, and anywhere below others. */
export async function selectRecorded(
  db: Queryable,
  { paths, directories, trees }: { paths: readonly string[]; directories: readonly string[]; trees: readonly string[] },
): Promise<RecordedFile[]> {
  const { rows } = await db.query<RecordedRow>(
    `SELECT ${COLUMNS} FROM documents
     WHERE deleted_at IS NULL AND (path = ANY($1::text[]) OR directory = ANY($2::text[])
       OR EXISTS (SELECT FROM unnest($3::text[]) AS tree WHERE directory = tree OR starts_with(directory, tree || '/')))`,
    [paths, directories, trees],
  );
  return rows.map(toRecorded);
}

/** What the mirror knows of files with these inodes. */
export async function selectRecordedByInode(db: Queryable, inodes: readonly bigint[]): Promise<RecordedFile[]> {
  const { rows } = await db.query<RecordedRow>(
    `SELECT ${COLUMNS} FROM documents WHERE deleted_at IS NULL AND inode = ANY($1::bigint[])`,
    [inodes],
  );
  return rows.map(toRecorded);
}

export async function countRecorded(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>("SELECT count(*) FROM documents WHERE deleted_at IS NULL");
  return rows[0]?.count ?? 0;
}

/** Of some documents, those that are still active, locked: where they were, or parked (see {@link parkDocuments}). */
export async function selectStillAt(
  db: PoolClient,
  places: readonly { readonly id: string; readonly path: VaultPath }[],
): Promise<Map<string, "in place" | "parked">> {
  const { rows } = await db.query<{ id: string; isParked: boolean }>(
    `SELECT d.id, d.path = '/' || d.id AS "isParked"
     FROM documents d JOIN unnest($1::uuid[], $2::text[]) AS p (id, path) ON p.id = d.id
     WHERE d.deleted_at IS NULL AND d.path IN (p.path, '/' || d.id) FOR UPDATE OF d`,
    [places.map(({ id }) => id), places.map(({ path }) => path)],
  );
  return new Map(rows.map(({ id, isParked }) => [id, isParked ? "parked" : "in place"]));
}

/**
 * Makes room at paths for documents that move there: others that are recorded at them get a path that no file can have,
 * until their own files are found or they count as deleted. The moving ones go there too, so that they can swap places.
 */
export async function parkDocuments(
  db: PoolClient,
  { ids, paths }: { ids: readonly string[]; paths: readonly VaultPath[] },
): Promise<void> {
  await db.query(
    `UPDATE documents SET path = '/' || id, directory = '/'
     WHERE deleted_at IS NULL AND (id = ANY($1::uuid[]) OR path = ANY($2::text[]))`,
    [ids, paths],
  );
}

/**
 * Makes documents active again whose files were deleted on the disk and have come back as they were, for example by
 * switching branches in git.
 */
export async function reviveDocuments(
  db: PoolClient,
  files: readonly { readonly path: VaultPath; readonly contentHash: string }[],
): Promise<void> {
  await db.query(
    `UPDATE documents SET deleted_at = NULL WHERE id IN (
       SELECT DISTINCT ON (d.path) d.id
       FROM documents d JOIN unnest($1::text[], $2::text[]) AS f (path, hash) ON f.path = d.path AND f.hash = d.content_hash
       WHERE d.deleted_at IS NOT NULL AND d.trash_key IS NULL
         AND NOT EXISTS (SELECT FROM documents a WHERE a.path = d.path AND a.deleted_at IS NULL)
       ORDER BY d.path, d.deleted_at DESC, d.id)`,
    [files.map(({ path }) => path), files.map(({ contentHash }) => contentHash)],
  );
}

function toRecorded({
  id,
  path,
  title,
  contentHash,
  inode,
  birthtimeNs,
  mtimeNs,
  sizeBytes,
}: RecordedRow): RecordedFile {
  return {
    id,
    path,
    title,
    contentHash,
    inode: BigInt(inode),
    birthtimeNs: BigInt(birthtimeNs),
    mtimeNs: BigInt(mtimeNs),
    sizeBytes: Number(sizeBytes),
  };
}

/** Where some files were, the ones that changed last. */
export async function selectSomeRecordedPaths(db: Queryable, limit: number): Promise<VaultPath[]> {
  const { rows } = await db.query<{ path: VaultPath }>(
    "SELECT path FROM documents WHERE deleted_at IS NULL ORDER BY modified_at DESC, id DESC LIMIT $1",
    [limit],
  );
  return rows.map(({ path }) => path);
}
