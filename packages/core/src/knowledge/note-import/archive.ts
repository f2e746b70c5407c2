import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Entry, ZipFile } from "yauzl";
import { InvalidInputError, TooLargeError } from "../../platform/errors.ts";
import { entryPath } from "./entry-path.ts";
import type { ArchiveEntry, SkippedEntry } from "./formats/import-format.ts";
import { EXPORT_MARKER } from "./formats/workspace.ts";
import { openZip } from "./open-zip.ts";

const MAX_ENTRIES = 50_000;
/** Of everything in an archive, unpacked. */
const MAX_TOTAL_BYTES = 8 * 1024 * 1024 * 1024;
/** How much larger an archive may become by being unpacked, if it becomes so large: text rarely becomes 30 times as large. */
const MAX_RATIO = 100;
const LARGE_BYTES = 256 * 1024 * 1024;
/** Deeper archives are files like any other. */
const MAX_NESTING = 2;
/** Of a file that is read as one text. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;
const FILE_TYPE_MASK = 0o170_000;
const SYMBOLIC_LINK = 0o120_000;
const ARCHIVE_NAME = /\.(?:zip|textpack)$/i;
/** Notion packs the parts of an export into one archive. Other archives in an archive are attachments. */
const NESTED_NAME = /(?:^|\/)(?:Export|ExportBlock)-[0-9a-f-]+(?:-Part-\d+)?\.zip$|\.textpack$/i;

export interface Archive {
  readonly entries: readonly ArchiveEntry[];
  readonly skipped: readonly SkippedEntry[];
  close(): void;
}

/**
 * Opens a ZIP archive and those that it consists of. Nothing is unpacked but those, into `directory`, which the caller removes; their
 * sizes are known before. Throws {@link InvalidInputError} for what is no archive, and {@link TooLargeError}.
 */
export async function openArchive(file: string, directory: string): Promise<Archive> {
  const opened: ZipFile[] = [];
  const entries: ArchiveEntry[] = [];
  const skipped: SkippedEntry[] = [];
  const { size: archiveBytes } = await stat(file);
  let totalBytes = 0;
  let unpacked = 0;
  /** Not in an export of a workspace, whose first file is its marker: every archive in it is an attachment. */
  let hasParts = true;

  function count(sizeBytes: number): void {
    totalBytes += sizeBytes;
    if (totalBytes > MAX_TOTAL_BYTES) throw new TooLargeError("The archive has more than 8 GiB when unpacked.");
    if (totalBytes > Math.max(LARGE_BYTES, MAX_RATIO * archiveBytes))
      throw new TooLargeError(`The archive would become more than ${MAX_RATIO} times as large when unpacked.`);
    if (entries.length + skipped.length >= MAX_ENTRIES) {
      throw new TooLargeError(`The archive has more than ${MAX_ENTRIES.toLocaleString("en")} files.`);
    }
  }

  async function add(zip: ZipFile, entry: Entry, depth: number, prefix: string): Promise<void> {
    const { path, reason } = entryPath(entry);
    // Folders are created with what is in them.
    if (path.endsWith("/")) return;
    count(entry.uncompressedSize);
    const problem = reason ?? problemOf(entry);
    if (problem !== null) {
      skipped.push({ place: prefix + path, reason: problem });
      return;
    }
    hasParts &&= path !== EXPORT_MARKER;
    if (hasParts && depth < MAX_NESTING && NESTED_NAME.test(path)) {
      unpacked += 1;
      const inner = join(directory, `${unpacked}.zip`);
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(inner, { flags: "wx", mode: 0o600 }));
      await addAll(
        inner,
        depth + 1,
        path.endsWith(".textpack") ? `${path.replace(/\.textpack$/i, ".textbundle")}/` : "",
      );
      return;
    }
    const { uncompressedSize: sizeBytes } = entry;
    entries.push({ path: prefix + path, sizeBytes, open: () => zip.openReadStreamPromise(entry) });
  }

  async function addAll(path: string, depth: number, prefix: string): Promise<void> {
    const zip = await openZip(path);
    opened.push(zip);
    for await (const entry of zip.eachEntry()) await add(zip, entry, depth, prefix);
  }

  const close = (): void => opened.forEach((zip) => zip.close());
  try {
    await addAll(file, 0, "");
  } catch (cause) {
    close();
    throw cause instanceof InvalidInputError || cause instanceof TooLargeError ? cause : unreadable(cause);
  }
  return { entries, skipped, close };
}

/** The text of one file of a ZIP archive; null if it is not in it. Throws {@link InvalidInputError} for what is no archive, and {@link TooLargeError}. */
export async function readArchivedText(file: string, path: string): Promise<string | null> {
  const zip = await openZip(file).catch((cause: unknown) => {
    throw unreadable(cause);
  });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entryPath(entry).path !== path) continue;
      if (entry.uncompressedSize > MAX_TEXT_BYTES) throw new TooLargeError(`${path} in the archive is too large.`);
      return await textOf(await zip.openReadStreamPromise(entry));
    }
    return null;
  } finally {
    zip.close();
  }
}

/** Whether a file is an archive by its name. */
export function isArchiveName(name: string): boolean {
  return ARCHIVE_NAME.test(name);
}

function problemOf(entry: Entry): string | null {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  if (type === SYMBOLIC_LINK) return "is a symbolic link";
  if (entry.isEncrypted()) return "is encrypted";
  return entry.canDecodeFileData() ? null : "is compressed by a method that is not supported";
}

function unreadable(cause: unknown): InvalidInputError {
  return new InvalidInputError("The file is no ZIP archive, or it is damaged.", { cause });
}
