import { column, defineCommand, defineQuery, type Queryable, type RowOf } from "@workspace/db";

const FILE_AT_PATH = { path: column.text, contentHash: column.text };
export type FileAtPath = RowOf<typeof FILE_AT_PATH>;

const filesAtPaths = defineQuery({
  name: "select-files-of-import",
  row: FILE_AT_PATH,
  text: `
    SELECT path, content_hash AS "contentHash" FROM documents
    WHERE deleted_at IS NULL AND lower(normalize(path) COLLATE "und-x-icu") IN
      (SELECT lower(normalize(given) COLLATE "und-x-icu") FROM unnest($1::text[]) AS given)`,
});

/** The documents at some paths, in whatever case, and however their letters are composed. */
export function selectFilesAtPaths(db: Queryable, paths: readonly string[]): Promise<FileAtPath[]> {
  return filesAtPaths.all(db, [paths]);
}

const importedFiles = defineQuery({
  name: "select-imported-files",
  row: FILE_AT_PATH,
  text: `SELECT path, content_hash AS "contentHash" FROM imported_files WHERE path = ANY($1::text[])`,
});

/** What has been imported to some paths before. */
export function selectImportedFiles(db: Queryable, paths: readonly string[]): Promise<FileAtPath[]> {
  return importedFiles.all(db, [paths]);
}

const newImportedFile = defineCommand({
  name: "insert-imported-file",
  isPrepared: true,
  text: `
    INSERT INTO imported_files (path, content_hash, created_at) VALUES ($1, $2, $3)
    ON CONFLICT (path, content_hash) DO NOTHING`,
});

/** Records that a file was imported; within the transaction that records the file itself. */
export async function insertImportedFile(db: Queryable, file: FileAtPath, createdAt: Date): Promise<void> {
  await newImportedFile.run(db, [file.path, file.contentHash, createdAt]);
}
