import type { Directory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { isSameState, toFileStat, type FileStat } from "./file-stat.ts";
import { removeQuietly } from "./new-file.ts";
import { moveFileToFreeName, storeCopy, tryLink } from "./relocate.ts";

/** The file is not the one any more that the caller had looked at; nothing was changed. */
export class FileChangedError extends Error {
  override readonly name = "FileChangedError";
}

export interface Replacement {
  readonly calls: FileSystemCalls;
  readonly directory: Directory;
  readonly name: string;
  /** The new file, all on the disk already, under a name that nobody sees. */
  readonly stagedName: string;
  /** A free name of the same kind, for the old file. */
  readonly backupName: string;
}

export interface PlaceOptions {
  /** What the caller found at the name: the file that may be replaced, or null where there was none. */
  readonly expected: FileStat | null;
  /** Where the replaced file is kept; what is there already has the same bytes and stays. Null: it is not kept. */
  readonly keepAt: string | null;
}

/** A file that is in its place, but could be taken back. One of the two must be called. */
export interface Placement {
  /** Lets go of the old file. Never fails. */
  finish(): Promise<void>;
  /** Puts the old file back, as well as a failing disk lets it. Never fails. */
  undo(): Promise<void>;
}

/**
 * Puts a staged file in the place of another, or where there was none; to survive a power cut, the directory must be synced
 * afterwards. At any moment the name has the old bytes or the new ones, whole. Any failure leaves the old bytes and the
 * staged file; it is {@link FileChangedError} where the file is not the one that the caller expected.
 *
 * A program outside that replaces the file between the last check and the rename, which are the next call after each other,
 * loses its version: the kernel's way to exchange two files is out of Node's reach.
 */
export async function placeFile(replacement: Replacement, options: PlaceOptions): Promise<Placement> {
  const { calls, directory } = replacement;
  const { expected, keepAt } = options;
  const backup = expected === null ? null : await keepOld(replacement, expected, keepAt);
  const removeBackup = async (): Promise<void> => {
    if (backup !== null && backup !== keepAt) await removeQuietly(calls, backup);
  };
  try {
    await putInPlace(replacement, expected);
  } catch (error) {
    await removeBackup();
    throw error;
  }
  return {
    finish: removeBackup,
    async undo() {
      if (expected === null) await removeQuietly(calls, directory.entry(replacement.name));
      else if (backup !== null) await putBack(replacement, backup, keepAt);
      await removeBackup();
    },
  };
}

/**
 * Gives the old file a second name, by which it is kept for good or until the new one is safe, and makes sure that it is
 * the expected one. Answers that name; null where the file system has no second names.
 */
async function keepOld(replacement: Replacement, expected: FileStat, keepAt: string | null): Promise<string | null> {
  const { calls, directory, name } = replacement;
  let backup: string | null = null;
  try {
    backup = await linkOld(replacement, expected, keepAt);
    const isExpected = (path: string) => isSameState(toFileStat(calls.lookAgain(path)), expected);
    // Both at the last moment: what is kept is what was expected, and it is still what is going to be replaced.
    if ((backup !== null && !isExpected(backup)) || !isExpected(directory.entry(name))) {
      throw new FileChangedError("The file was changed by another program.");
    }
    return backup;
  } catch (error) {
    if (backup !== null) await removeQuietly(calls, backup);
    throw systemErrorCode(error) === "ENOENT" ? new FileChangedError("The file was removed.", { cause: error }) : error;
  }
}

async function linkOld(replacement: Replacement, expected: FileStat, keepAt: string | null): Promise<string | null> {
  const { calls, directory, name, backupName } = replacement;
  const current = directory.entry(name);
  // A file with another name somewhere could still be changed through that one; such a file is copied.
  if (keepAt !== null && expected.links === 1 && (await tryLink(calls, current, keepAt))) return keepAt;
  if (keepAt !== null && !(await storeCopy({ calls, from: current, to: keepAt, expected }))) {
    throw new FileChangedError("The file was changed by another program.");
  }
  const backup = directory.entry(backupName);
  return (await tryLink(calls, current, backup)) ? backup : null;
}

async function putInPlace(replacement: Replacement, expected: FileStat | null): Promise<void> {
  const { calls, directory, name, stagedName } = replacement;
  const staged = directory.entry(stagedName);
  if (expected !== null) {
    await calls.rename(staged, directory.entry(name));
    return;
  }
  try {
    await moveFileToFreeName(calls, staged, directory.entry(name));
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    throw new FileChangedError("The file was made by another program.", { cause: error });
  }
}

async function putBack(replacement: Replacement, backup: string, keepAt: string | null): Promise<void> {
  const { calls, directory, name, backupName } = replacement;
  try {
    if (backup === keepAt) await calls.link(backup, directory.entry(backupName));
    await calls.rename(directory.entry(backupName), directory.entry(name));
    await directory.sync();
  } catch {
    // The failure that led here is the one that is reported.
  }
}
