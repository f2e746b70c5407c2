import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import pLimit from "p-limit";
import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, ForbiddenError, InvalidInputError, OverloadedError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { toText } from "../file-records/document-content.ts";
import type { VaultService } from "../file-system/vault.service.ts";
import { isMarkdownName } from "../markdown/file-type.ts";
import { childOf, parseVaultPath, type VaultPath } from "../vault/vault-path.ts";
import { openArchive, type Archive } from "./archive.ts";
import { chooseFormat } from "./choose-format.ts";
import type { ArchiveEntry, ConvertHtml, PlannedFile, SkippedEntry } from "./formats/import-format.ts";
import { insertImportedFile, selectFilesAtPaths, selectImportedFiles, type FileAtPath } from "./note-import.queries.ts";
import type { ImportedState, ImportNotes, NoteImport } from "./note-import.schema.ts";

/** Of a note. A longer one is written as it is. */
const MAX_TEXT_BYTES = 5 * 1024 * 1024;
/** Enough for the writes to be grouped. */
const MAX_WRITES = 16;
const MAX_READS = 4;
/** Each holds a whole archive open. */
const MAX_IMPORTS = 2;
const MAX_SHOWN = 200;

export interface NoteImportServiceDeps extends Deps<"db" | "clock"> {
  readonly vault: Pick<VaultService, "writeStream">;
}

/** The archive, and an empty folder for what it takes to open it. */
export interface ArchiveFile {
  readonly file: string;
  readonly directory: string;
}

export interface ImportRun {
  readonly author: Author;
  /** Called with how many files have been read or written so far, and of how many. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Converts pages that were exported as HTML. */
  readonly convertHtml?: ConvertHtml;
  /** Stops after the files that are being written. */
  readonly signal?: AbortSignal;
}

export type NoteImportService = ReturnType<typeof createNoteImportService>;

interface DescribedFile extends PlannedFile {
  readonly path: VaultPath;
  readonly contentHash: string;
  state: ImportedState;
}

/** Imports the notes of other programs. Nothing in the vault is ever changed, and nothing is created twice. */
export function createNoteImportService({ db, clock, vault }: NoteImportServiceDeps) {
  const limit = pLimit(MAX_IMPORTS);

  async function describe(files: readonly PlannedFile[], folder: VaultPath, skipped: SkippedEntry[], run: ImportRun) {
    const described: (DescribedFile | null)[] = await eachOf(files, MAX_READS, run, async (file) => {
      const path = pathOf(file, folder, skipped);
      const contentHash = path === null ? null : await hashOf(file, skipped);
      return path === null || contentHash === null ? null : { ...file, path, contentHash, state: "new" };
    });
    return described.filter((file) => file !== null);
  }

  /** Finds out which files are new. */
  async function compare(files: readonly DescribedFile[], skipped: SkippedEntry[]): Promise<DescribedFile[]> {
    const paths = files.map(({ path }) => path);
    const compareWith = createComparison({
      present: await selectFilesAtPaths(db.pool, paths),
      imported: await selectImportedFiles(db.pool, paths),
    });
    return files.filter((file) => {
      const found = compareWith(file);
      if ("reason" in found) skipped.push({ place: file.source, reason: found.reason });
      else file.state = found.state;
      return !("reason" in found);
    });
  }

  /** Whether it is in the vault now. */
  async function write(file: DescribedFile, author: Author, skipped: SkippedEntry[]): Promise<boolean> {
    const { path, contentHash } = file;
    const record = (client: PoolClient) => insertImportedFile(client, { path, contentHash }, clock.now());
    const request = { createOnly: true, creatorId: author.userId, author, inTransaction: record };
    try {
      await vault.writeStream(path, { ...request, durability: "durable", content: await contentOf(file) });
      return true;
    } catch (error) {
      if (error instanceof ConflictError) {
        file.state = "exists";
        return true;
      }
      if (!(error instanceof InvalidInputError || error instanceof ForbiddenError)) throw error;
      skipped.push({ place: file.source, reason: error.message });
      return false;
    }
  }

  async function importArchive(archive: Archive, { format, folder, dryRun }: ImportNotes, run: ImportRun) {
    const skipped = [...archive.skipped];
    const chosen = await chooseFormat(format, archive.entries, readText);
    const plan = await chosen.plan(archive.entries, readText, run.convertHtml);
    skipped.push(...plan.skipped);
    const files = await compare(await describe(plan.files, parseVaultPath(folder, "folder"), skipped, run), skipped);
    const failed = new Set<DescribedFile>();
    if (!dryRun) {
      const fresh = files.filter(({ state }) => state === "new");
      await eachOf(fresh, MAX_WRITES, run, async (file) => {
        if (!(await write(file, run.author, skipped))) failed.add(file);
      });
    }
    const kept = files.filter((file) => !failed.has(file));
    return toReport({ files: kept, skipped, isDryRun: dryRun, format: chosen.format });
  }

  return {
    /**
     * Imports an archive, or says what importing it would do. Throws {@link InvalidInputError} for what is no archive or not in the
     * format, TooLargeError, {@link OverloadedError} while others are being imported, and whatever keeps a file from being written,
     * such as a full disk: what has been written by then stays, and importing again goes on from there.
     */
    async import(archiveFile: ArchiveFile, input: ImportNotes, run: ImportRun): Promise<NoteImport> {
      parseVaultPath(input.folder, "folder");
      if (limit.activeCount >= MAX_IMPORTS)
        throw new OverloadedError("Other imports are in progress. Try again when they have finished.");
      return limit(async () => {
        const archive = await openArchive(archiveFile.file, archiveFile.directory);
        try {
          return await importArchive(archive, input, run);
        } finally {
          archive.close();
        }
      });
    },
  };
}

/** Works on files, a few at a time. After an error or when the run is stopped, it ends once nothing is being worked on any more. */
async function eachOf<File, Result>(
  files: readonly File[],
  limit: number,
  { onProgress, signal }: ImportRun,
  work: (file: File) => Promise<Result>,
): Promise<Result[]> {
  const failures: unknown[] = [];
  const results: Result[] = [];
  let done = 0;
  await mapConcurrently([...files.entries()], limit, async ([index, file]) => {
    if (failures.length > 0 || signal?.aborted === true) return;
    try {
      results[index] = await work(file);
      done += 1;
      onProgress?.(done, files.length);
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
  signal?.throwIfAborted();
  return results;
}

function pathOf({ target, source }: PlannedFile, folder: VaultPath, skipped: SkippedEntry[]): VaultPath | null {
  try {
    return parseVaultPath(childOf(folder, parseVaultPath(target)));
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof ForbiddenError)) throw error;
    skipped.push({ place: source, reason: error.message });
    return null;
  }
}

/** The hash of what is to be written; null if it cannot be unpacked. */
async function hashOf(file: PlannedFile, skipped: SkippedEntry[]): Promise<string | null> {
  try {
    const hash = createHash("sha256");
    const content = await contentOf(file);
    if (content instanceof Uint8Array) hash.update(content);
    else for await (const chunk of content) hash.update(chunk);
    return hash.digest("hex");
  } catch (error) {
    skipped.push({
      place: file.source,
      reason: `cannot be unpacked: ${error instanceof Error ? error.message : "unknown"}`,
    });
    return null;
  }
}

async function contentOf({ entry, convert }: PlannedFile): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const text = convert === undefined ? null : await readText(entry);
  return convert === undefined || text === null ? entry.open() : Buffer.from(await convert(text));
}

/** The text of an entry; null if it is too long, no text, or cannot be unpacked, which {@link hashOf} reports. */
async function readText(entry: ArchiveEntry): Promise<string | null> {
  if (entry.sizeBytes > MAX_TEXT_BYTES) return null;
  const content = await entry
    .open()
    .then(buffer)
    .catch(() => null);
  return content === null ? null : toText(content);
}

/** How a file relates to the documents that there are, and to earlier imports. */
function createComparison({ present, imported }: Record<"present" | "imported", readonly FileAtPath[]>) {
  const keyOf = ({ path, contentHash }: FileAtPath): string => `${contentHash} ${path}`;
  const known = new Set(imported.map(keyOf));
  const byPath = new Map(present.map((file) => [file.path, file]));
  const folded = (path: string): string => path.normalize().toLowerCase();
  const byFoldedPath = new Map(present.map(({ path }) => [folded(path), path]));
  return (file: DescribedFile): { state: ImportedState } | { reason: string } => {
    if (known.has(keyOf(file))) return { state: "known" };
    const there = byPath.get(file.path);
    if (there !== undefined) return { state: there.contentHash === file.contentHash ? "known" : "exists" };
    const other = byFoldedPath.get(folded(file.path));
    if (other === undefined) return { state: "new" };
    const difference = other.normalize() === file.path ? "in how letters are composed" : "in case";
    return { reason: `differs from ${other}, which is in the vault, only ${difference}` };
  };
}

interface Outcome {
  readonly files: readonly DescribedFile[];
  readonly skipped: readonly SkippedEntry[];
  readonly isDryRun: boolean;
  readonly format: NoteImport["format"];
}

function toReport({ files, skipped, isDryRun, format }: Outcome): NoteImport {
  const fresh = files.filter(({ state }) => state === "new");
  const countOf = (wanted: ImportedState): number => files.filter(({ state }) => state === wanted).length;
  return {
    isDryRun,
    format,
    createdCount: fresh.length,
    noteCount: fresh.filter(({ path }) => isMarkdownName(path)).length,
    createdBytes: fresh.reduce((sum, { entry }) => sum + entry.sizeBytes, 0),
    knownCount: countOf("known"),
    existingCount: countOf("exists"),
    skippedCount: skipped.length,
    files: [...fresh, ...files.filter(({ state }) => state !== "new")]
      .slice(0, MAX_SHOWN)
      .map(({ source, path, entry, state }) => ({
        source,
        path,
        isNote: isMarkdownName(path),
        sizeBytes: entry.sizeBytes,
        state,
      })),
    skipped: skipped.slice(0, MAX_SHOWN).map(({ place, reason }) => ({ place, reason })),
  };
}
