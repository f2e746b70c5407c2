import type { Directory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import { isSameState, toFileStat, type FileStat } from "./file-stat.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { removeQuietly } from "./new-file.ts";
import { moveFileNoReplace, storeCopy, tryLink } from "./relocate.ts";

/** The file has changed since the caller examined it; nothing was written. */
export class FileChangedError extends Error {
  override readonly name = "FileChangedError";
}

export interface Replacement {
  readonly calls: FileSystemCalls;
  readonly directory: Directory;
  readonly name: string;
  /** The hidden name of the new file, which is already on disk in full. */
  readonly stagedName: string;
  /** A free hidden name for the old file. */
  readonly backupName: string;
}

export interface PlaceOptions {
  /** The file that may be replaced, as the caller found it; null if there was none. */
  readonly expected: FileStat | null;
  /** Where to keep the replaced file; an existing file there has the same bytes and is left alone. Null to not keep it. */
  readonly keepAt: string | null;
}

/** A file that has been placed and can still be reverted. Exactly one of the two methods must be called. */
export interface Placement {
  /** Removes the backup of the old file. Never fails. */
  finish(): Promise<void>;
  /** Restores the old file as far as a failing disk permits. Never fails. */
  undo(): Promise<void>;
}

/**
 * Moves a staged file to its final name, replacing the file that is there, if any. The directory must be synced afterwards to
 * make it durable. At any moment the name refers to either the old or the new content in full. Any failure leaves the old
 * file and the staged file; it is a {@link FileChangedError} if the file is not the one that the caller expected.
 *
 * If another program replaces the file between the last check and the rename, which directly follow one another, its version
 * is lost: Node offers no way to atomically exchange two files.
 */
export async function placeFile(replacement: Replacement, options: PlaceOptions): Promise<Placement> {
  const { calls, directory } = replacement;
  const { expected, keepAt } = options;
  const backup = expected === null ? null : await backUp(replacement, expected, keepAt);
  const removeBackup = async (): Promise<void> => {
    if (backup !== null && backup !== keepAt) await removeQuietly(calls, backup);
  };
  try {
    await moveStaged(replacement, expected);
  } catch (error) {
    await removeBackup();
    throw error;
  }
  return {
    finish: removeBackup,
    async undo() {
      if (expected === null) await removeQuietly(calls, directory.entry(replacement.name));
      else if (backup !== null) await restoreBackup(replacement, backup, keepAt);
      await removeBackup();
    },
  };
}

/**
 * Links the old file to a second name, permanently or until the new file is safe, and verifies that it is the expected file.
 * Returns the path of the link; null if the file system does not support hard links.
 */
async function backUp(replacement: Replacement, expected: FileStat, keepAt: string | null): Promise<string | null> {
  const { calls, directory, name } = replacement;
  let backup: string | null = null;
  try {
    backup = await linkBackup(replacement, expected, keepAt);
    const isExpected = (path: string) => isSameState(toFileStat(calls.lstatSync(path)), expected);
    // Checked at the last moment: the backup is the expected file, and so is the file about to be replaced.
    if ((backup !== null && !isExpected(backup)) || !isExpected(directory.entry(name))) {
      throw new FileChangedError("The file was changed by another program.");
    }
    return backup;
  } catch (error) {
    if (backup !== null) await removeQuietly(calls, backup);
    throw systemErrorCode(error) === "ENOENT" ? new FileChangedError("The file was removed.", { cause: error }) : error;
  }
}

async function linkBackup(replacement: Replacement, expected: FileStat, keepAt: string | null): Promise<string | null> {
  const { calls, directory, name, backupName } = replacement;
  const current = directory.entry(name);
  // A file with other hard links could still be changed through those, so it is copied instead.
  if (keepAt !== null && expected.links === 1 && (await tryLink(calls, current, keepAt))) return keepAt;
  if (keepAt !== null && !(await storeCopy({ calls, from: current, to: keepAt, expected }))) {
    throw new FileChangedError("The file was changed by another program.");
  }
  const backup = directory.entry(backupName);
  return (await tryLink(calls, current, backup)) ? backup : null;
}

async function moveStaged(replacement: Replacement, expected: FileStat | null): Promise<void> {
  const { calls, directory, name, stagedName } = replacement;
  const staged = directory.entry(stagedName);
  if (expected !== null) {
    await calls.rename(staged, directory.entry(name));
    return;
  }
  try {
    await moveFileNoReplace(calls, staged, directory.entry(name));
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    throw new FileChangedError("The file was created by another program.", { cause: error });
  }
}

async function restoreBackup(replacement: Replacement, backup: string, keepAt: string | null): Promise<void> {
  const { calls, directory, name, backupName } = replacement;
  try {
    if (backup === keepAt) await calls.link(backup, directory.entry(backupName));
    await calls.rename(directory.entry(backupName), directory.entry(name));
    await directory.sync();
  } catch {
    // The error that led here is the one to report.
  }
}
