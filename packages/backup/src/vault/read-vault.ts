import { BackupError } from "../backup-error.ts";
import type { ContentWriter } from "../content-writer.ts";
import type { DocumentRecord } from "../database/read-database.ts";
import type { BackedUpFile, Disagreement, Part } from "../manifest.ts";
import { type FolderContents, isMissing } from "./list-folder.ts";
import type { ReadInto } from "./read-file.ts";

/** The service hashes only samples of larger files, so that a record says nothing about their content. */
const FULLY_HASHED_BYTES = 64 * 1024 * 1024;
/** Fewer missing files are never suspicious: someone may have deleted them by hand. */
const MIN_SUSPICIOUS = 10;
/** Where the service keeps deleted files and earlier contents. */
export const SERVICE_FOLDER = ".workspace/";

/** Where the files of a vault are read. */
export interface VaultSource {
  list(): Promise<FolderContents>;
  /** What shows, without reading it, that a file has not changed. */
  identityOf(path: string): Promise<string>;
  /** See `readFileInto`. */
  readInto(path: string, options: ReadInto): Promise<BackedUpFile | null>;
}

export interface ReadVaultOptions {
  readonly source: VaultSource;
  readonly writer: ContentWriter;
  /** The files of an earlier backup whose content is still stored. */
  readonly earlier: readonly BackedUpFile[];
  /** Paths whose contents were stored together, in this order, in a chunk that is lost: stored together again, they are that chunk. */
  readonly lost: readonly (readonly string[])[];
  /** The notes that the database has, which was read before. */
  readonly documents: readonly DocumentRecord[];
}

export interface ReadVault extends Pick<FolderContents, "folders" | "links"> {
  readonly files: readonly BackedUpFile[];
  readonly disagreements: readonly Disagreement[];
}

/**
 * Reads the files of a vault while others change them, and makes them agree with the database, which was read a little earlier: a
 * file that was changed, moved or deleted in between is taken from where the service keeps its earlier content. Throws
 * {@link BackupError} if so many are missing that the vault itself must be.
 */
export async function readVault({ source, writer, earlier, lost, documents }: ReadVaultOptions): Promise<ReadVault> {
  const { files: paths, folders, links, unreadable } = await source.list();
  const earlierByPath = new Map(earlier.map((file) => [file.path, file]));
  const stored = new Map<string, BackedUpFile>(earlier.map((file) => [contentKey(file), file]));
  const findStored = (sha256: string, size: number): readonly Part[] | undefined =>
    stored.get(contentKey({ sha256, size }))?.parts;
  const files = new Map<string, BackedUpFile>();
  const problems = new Map<string, Disagreement["problem"]>(unreadable.map((path) => [path, "unreadable"]));

  const read = async (path: string): Promise<void> => {
    try {
      const before = earlierByPath.get(path);
      const isUnchanged = before?.identity !== undefined && before.identity === (await source.identityOf(path));
      const file = isUnchanged ? before : await source.readInto(path, { writer, findStored });
      if (file === null) problems.set(path, "changed");
      else {
        files.set(path, file);
        stored.set(contentKey(file), file);
      }
    } catch (error) {
      if (!isMissing(error)) problems.set(path, "unreadable");
    }
  };
  const listed = new Set(paths);
  for (const group of lost) {
    for (const path of group) if (listed.delete(path)) await read(path);
    await writer.finish();
  }
  // The service's own folder last: what disappears from the vault meanwhile is found there.
  for (const path of inReadingOrder([...listed])) await read(path);
  assertNotEmptied(files, documents, problems);
  const agreed = agree(files, documents, stored, problems);
  const disagreements = [...problems].map(([path, problem]) => ({ path, problem }));
  return { files: agreed.toSorted(byPath), folders, links, disagreements };
}

/** What an earlier backup has of the vault does not count: that its content is known does not mean that it is there. */
function assertNotEmptied(
  files: ReadonlyMap<string, BackedUpFile>,
  documents: readonly DocumentRecord[],
  problems: ReadonlyMap<string, Disagreement["problem"]>,
): void {
  const contents = new Set([...files.values()].map(contentKey));
  const { length: lost } = documents.filter(
    ({ path, contentHash, sizeBytes }) =>
      !files.has(path) &&
      problems.get(path) !== "changed" &&
      !contents.has(contentKey({ sha256: contentHash, size: sizeBytes })),
  );
  const known = documents.length;
  if (lost === 0 || (lost < known && (lost < MIN_SUSPICIOUS || lost <= known / 2))) return;
  throw new BackupError(
    `${lost} of ${known} files that the records name are missing in the vault or cannot be read, so nothing was backed up. ` +
      "Check whether its disk is mounted. If they were deleted, start the service, so that the records follow.",
  );
}

/** Replaces files that are not as their records say by the content that the records mean, if it is anywhere. */
function agree(
  files: ReadonlyMap<string, BackedUpFile>,
  documents: readonly DocumentRecord[],
  stored: ReadonlyMap<string, BackedUpFile>,
  problems: Map<string, Disagreement["problem"]>,
): BackedUpFile[] {
  const agreed = new Map(files);
  const recorded = new Set(documents.map(({ path }) => path));
  const movedContents = new Set<string>();
  for (const { path, contentHash, sizeBytes } of documents) {
    const file = agreed.get(path);
    if (file?.sha256 === contentHash || (file !== undefined && sizeBytes > FULLY_HASHED_BYTES)) continue;
    const key = contentKey({ sha256: contentHash, size: sizeBytes });
    const content = stored.get(key);
    if (content === undefined) {
      if (!problems.has(path)) problems.set(path, file === undefined ? "missing" : "changed");
      continue;
    }
    problems.delete(path);
    if (file === undefined) movedContents.add(key);
    const { identity: _identity, ...rest } = content;
    agreed.set(path, { ...rest, path, mode: file?.mode ?? content.mode });
  }
  // The new place of a file that had another one when the database was read: with both, it would be two notes.
  return [...agreed.values()].filter(
    (file) => recorded.has(file.path) || file.path.startsWith(SERVICE_FOLDER) || !movedContents.has(contentKey(file)),
  );
}

function inReadingOrder(paths: readonly string[]): string[] {
  const isOwn = (path: string): boolean => path.startsWith(SERVICE_FOLDER);
  return [...paths.filter((path) => !isOwn(path)), ...paths.filter(isOwn)];
}

function contentKey({ sha256, size }: { sha256: string; size: number }): string {
  return `${sha256}:${size}`;
}

function byPath(a: BackedUpFile, b: BackedUpFile): number {
  return a.path < b.path ? -1 : 1;
}
