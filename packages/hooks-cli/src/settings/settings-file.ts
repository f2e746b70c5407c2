import * as fs from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { hasCode, readIfExists, temporaryPathFor, writeNewFile, pidOfTemporary } from "../files/atomic-file.ts";

/** A settings file of another program, as it was read. */
export interface SettingsFile {
  /** The requested path. */
  readonly path: string;
  /** The path of the actual file, with links followed; the links are kept. */
  readonly target: string;
  /** Undefined if there is no such file. */
  readonly text: string | undefined;
  readonly mode: number | undefined;
}

export class SettingsFileError extends Error {
  override readonly name = "SettingsFileError";
}

const NEW_FILE_MODE = 0o600;
const MAX_LINKS = 20;

export function readSettingsFile(path: string): SettingsFile {
  const target = followLinks(path);
  const bytes = readIfExists(target);
  if (bytes === undefined) return { path, target, text: undefined, mode: undefined };
  const status = fs.statSync(target);
  if (!status.isFile()) throw new SettingsFileError(`${path} is not a regular file.`);
  if (status.nlink > 1) {
    throw new SettingsFileError(
      `${path} has a hard link. Replacing it would separate the two: use a symbolic link, or a separate file.`,
    );
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new SettingsFileError(`${path} is not valid UTF-8.`);
  return { path, target, text, mode: status.mode & 0o7777 };
}

/**
 * Replaces a settings file atomically, keeping its mode, owner and links. Returns false, without writing anything, if the
 * file has changed since it was read, so that no concurrent change is lost.
 */
export function replaceSettingsFile(file: SettingsFile, text: string): boolean {
  removeStaleTemporaries(file.target);
  const temporary = temporaryPathFor(file.target);
  try {
    writeNewFile(temporary, text, { mode: file.mode ?? NEW_FILE_MODE, isDurable: true });
    if (file.text !== undefined) preserveOwner(file.target, temporary);
    if (!isUnchanged(file)) return false;
    fs.renameSync(temporary, file.target);
    return true;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Deletes a settings file; returns false if it has changed since it was read. */
export function deleteSettingsFile(file: SettingsFile): boolean {
  if (!isUnchanged(file)) return false;
  removeStaleTemporaries(file.target);
  fs.rmSync(file.target, { force: true });
  return true;
}

/** Creates the directories that a file needs; returns those that were missing, outermost first. */
export function createParents(target: string): readonly string[] {
  const missing: string[] = [];
  for (let directory = dirname(target); !fs.existsSync(directory); directory = dirname(directory))
    missing.unshift(directory);
  if (missing.length > 0) fs.mkdirSync(dirname(target), { recursive: true });
  return missing;
}

/** Removes empty directories, innermost first. */
export function removeEmptyDirs(directories: readonly string[]): void {
  for (const directory of directories.toReversed()) {
    try {
      fs.rmdirSync(directory);
    } catch {
      // Somebody else has put something into it, or it is already gone.
      return;
    }
  }
}

/** Removes temporary files left beside a file by processes that were killed while replacing it. */
function removeStaleTemporaries(target: string): void {
  try {
    for (const name of fs.readdirSync(dirname(target))) {
      const pid = pidOfTemporary(name, basename(target));
      if (pid !== undefined && !isAlive(pid)) fs.rmSync(join(dirname(target), name), { force: true });
    }
  } catch {
    // They do no harm.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}

function isUnchanged(file: SettingsFile): boolean {
  return readIfExists(file.target)?.toString("utf8") === file.text;
}

function preserveOwner(from: string, to: string): void {
  const { uid, gid } = fs.statSync(from);
  const created = fs.statSync(to);
  if (created.uid === uid && created.gid === gid) return;
  try {
    fs.chownSync(to, uid, gid);
  } catch {
    // Only a privileged user may do this; for others the owner is the same, and only the group can differ.
  }
}

/** The file that a path leads to, even if the last link points to a file that does not exist yet. */
function followLinks(path: string): string {
  let current = path;
  for (let count = 0; count < MAX_LINKS; count += 1) {
    const link = readLink(current);
    if (link === undefined) return current;
    current = isAbsolute(link) ? link : resolve(fs.realpathSync(dirname(current)), link);
  }
  throw new SettingsFileError(`${path} is a circular link.`);
}

function readLink(path: string): string | undefined {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined;
  }
}
