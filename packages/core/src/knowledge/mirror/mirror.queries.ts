import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { VaultPath } from "../vault/vault-path.ts";
import type { RecordedFile } from "./mirrored-file.ts";

const RECORDED = {
  id: column.uuid,
  path: column.text.as<VaultPath>(),
  title: column.text,
  inode: column.bigint,
  birthtimeNs: column.bigint,
  mtimeNs: column.bigint,
  contentHash: column.text,
  sizeBytes: column.safeInteger,
};

const COLUMNS = `id, path, title, inode, birthtime_ns AS "birthtimeNs", mtime_ns AS "mtimeNs",
  content_hash AS "contentHash", size_bytes AS "sizeBytes"`;

const allRecorded = defineQuery({
  name: "select-all-recorded",
  row: RECORDED,
  text: `SELECT ${COLUMNS} FROM documents WHERE deleted_at IS NULL`,
});

/** The recorded files of all active documents. */
export async function selectAllRecorded(db: Queryable): Promise<RecordedFile[]> {
  return (await allRecorded.all(db)).map(toRecorded);
}

const recordedWithin = defineQuery({
  name: "select-recorded",
  row: RECORDED,
  text: `
    SELECT ${COLUMNS} FROM documents
    WHERE deleted_at IS NULL AND (path = ANY($1::text[]) OR directory = ANY($2::text[])
      OR EXISTS (SELECT FROM unnest($3::text[]) AS tree WHERE directory = tree OR starts_with(directory, tree || '/')))`,
});

/** The recorded files at some paths, directly in some directories, and anywhere below the roots of some trees. */
export async function selectRecorded(
  db: Queryable,
  { paths, directories, trees }: { paths: readonly string[]; directories: readonly string[]; trees: readonly string[] },
): Promise<RecordedFile[]> {
  return (await recordedWithin.all(db, [paths, directories, trees])).map(toRecorded);
}

const recordedAt = defineQuery({
  name: "select-recorded-at",
  row: RECORDED,
  text: `SELECT ${COLUMNS} FROM documents WHERE deleted_at IS NULL AND path = ANY($1::text[])`,
});

/** The recorded files at some paths. */
export async function selectRecordedAt(db: Queryable, paths: readonly VaultPath[]): Promise<RecordedFile[]> {
  return (await recordedAt.all(db, [paths])).map(toRecorded);
}

const recordedByInode = defineQuery({
  name: "select-recorded-by-inode",
  row: RECORDED,
  text: `SELECT ${COLUMNS} FROM documents WHERE deleted_at IS NULL AND inode = ANY($1::bigint[])`,
});

/** The recorded files with these inodes. */
export async function selectRecordedByInode(db: Queryable, inodes: readonly bigint[]): Promise<RecordedFile[]> {
  return (await recordedByInode.all(db, [inodes])).map(toRecorded);
}

const recordedCount = defineQuery({
  name: "count-recorded",
  row: { count: column.safeInteger.neverNull },
  text: "SELECT count(*) FROM documents WHERE deleted_at IS NULL",
});

export async function countRecorded(db: Queryable): Promise<number> {
  return (await recordedCount.one(db)).count;
}

const stillThere = defineQuery({
  name: "select-still-at",
  row: { id: column.uuid, isParked: column.boolean.neverNull },
  text: `
    SELECT d.id, d.path = '/' || d.id AS "isParked"
    FROM documents d JOIN unnest($1::uuid[], $2::text[]) AS p (id, path) ON p.id = d.id
    WHERE d.deleted_at IS NULL AND d.path IN (p.path, '/' || d.id) FOR UPDATE OF d`,
});

/** Locks those of some documents that are still active and either at their paths or parked (see {@link parkDocuments}). */
export async function selectStillAt(
  db: PoolClient,
  places: readonly { readonly id: string; readonly path: VaultPath }[],
): Promise<Map<string, "in place" | "parked">> {
  const rows = await stillThere.all(db, [places.map(({ id }) => id), places.map(({ path }) => path)]);
  return new Map(rows.map(({ id, isParked }) => [id, isParked ? "parked" : "in place"]));
}

/** Whether a path is that of a parked document: see {@link parkDocuments}. */
export function isParked(path: string): boolean {
  return path.startsWith("/");
}

const parkedDocuments = defineCommand({
  name: "park-documents",
  text: `
    UPDATE documents SET path = '/' || id, directory = '/'
    WHERE deleted_at IS NULL AND (id = ANY($1::uuid[]) OR path = ANY($2::text[]))`,
});

/**
 * Makes room for documents that move to some paths: the documents currently recorded there get a path that no file can have,
 * until their own files are found or they count as deleted. The moving ones are parked too, so that they can swap paths.
 */
export async function parkDocuments(
  db: PoolClient,
  { ids, paths }: { ids: readonly string[]; paths: readonly VaultPath[] },
): Promise<void> {
  await parkedDocuments.run(db, [ids, paths]);
}

const revivedDocuments = defineCommand({
  name: "revive-documents",
  text: `
    UPDATE documents SET deleted_at = NULL WHERE id IN (
      SELECT DISTINCT ON (d.path) d.id
      FROM documents d JOIN unnest($1::text[], $2::text[]) AS f (path, hash) ON f.path = d.path AND f.hash = d.content_hash
      WHERE d.deleted_at IS NOT NULL AND d.trash_key IS NULL
        AND NOT EXISTS (SELECT FROM documents a WHERE a.path = d.path AND a.deleted_at IS NULL)
      ORDER BY d.path, d.deleted_at DESC, d.id)`,
});

/**
 * Reactivates documents whose files were deleted on disk and have reappeared unchanged, for example by switching branches in
 * git.
 */
export async function reviveDocuments(
  db: PoolClient,
  files: readonly { readonly path: VaultPath; readonly contentHash: string }[],
): Promise<void> {
  await revivedDocuments.run(db, [files.map(({ path }) => path), files.map(({ contentHash }) => contentHash)]);
}

const recentPaths = defineQuery({
  name: "select-some-recorded-paths",
  row: { path: column.text.as<VaultPath>() },
  text: "SELECT path FROM documents WHERE deleted_at IS NULL ORDER BY modified_at DESC, id DESC LIMIT $1",
});

/** The paths of the most recently changed documents. */
export async function selectRecentPaths(db: Queryable, limit: number): Promise<VaultPath[]> {
  return (await recentPaths.all(db, [limit])).map(({ path }) => path);
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
}: RowOf<typeof RECORDED>): RecordedFile {
  return {
    id,
    path,
    title,
    contentHash,
    inode: BigInt(inode),
    birthtimeNs: BigInt(birthtimeNs),
    mtimeNs: BigInt(mtimeNs),
    sizeBytes,
  };
}
