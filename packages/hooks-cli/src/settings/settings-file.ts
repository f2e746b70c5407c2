import * as fs from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { hasCode, readIfExists, temporaryBeside, writeNewFile, writerOfTemporary } from "../files/atomic-file.ts";

/** A settings file of someone else's program, as it was read. */
export interface SettingsFile {
  /** As it was asked for. */
  readonly path: string;
  /** Where its bytes are: links are followed, and stay. */
  readonly target: string;
  /** Undefined: there is no such file. */
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
  if (!status.isFile()) throw new SettingsFileError(`${path} is no ordinary file.`);
  if (status.nlink > 1) {
    throw new SettingsFileError(
      `${path} has a second name (a hard link). Replacing it would part the two: make it a symbolic link, or a file of its own.`,
    );
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new SettingsFileError(`${path} is not valid UTF-8.`);
  return { path, target, text, mode: status.mode & 0o7777 };
}

/**
 * Replaces a settings file in one step, keeping its mode, owner and links. Answers false, and writes nothing, where the
 * file is no longer as it was read: whoever changed it in between must not lose that.
 */
export function replaceSettingsFile(file: SettingsFile, text: string): boolean {
  removeLeftovers(file.target);
  const temporary = temporaryBeside(file.target);
  try {
    writeNewFile(temporary, text, { mode: file.mode ?? NEW_FILE_MODE, isDurable: true });
    if (file.text !== undefined) keepOwner(file.target, temporary);
    if (!isUnchanged(file)) return false;
    fs.renameSync(temporary, file.target);
    return true;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Deletes a settings file; false where it is no longer as it was read. */
export function deleteSettingsFile(file: SettingsFile): boolean {
  if (!isUnchanged(file)) return false;
  removeLeftovers(file.target);
  fs.rmSync(file.target, { force: true });
  return true;
}

/** Makes the directories that a file needs; answers those that were missing, outermost first. */
export function createParents(target: string): readonly string[] {
  const missing: string[] = [];
  for (let directory = dirname(target); !fs.existsSync(directory); directory = dirname(directory))
    missing.unshift(directory);
  if (missing.length > 0) fs.mkdirSync(dirname(target), { recursive: true });
  return missing;
}

/** Removes directories that are empty, innermost first. */
export function removeEmptyDirs(directories: readonly string[]): void {
  for (const directory of directories.toReversed()) {
    try {
      fs.rmdirSync(directory);
    } catch {
      // Someone else has put something into it, or it is gone already.
      return;
    }
  }
}

/** Removes what processes left beside a file that were killed while they replaced it. */
function removeLeftovers(target: string): void {
  try {
    for (const name of fs.readdirSync(dirname(target))) {
      const pid = writerOfTemporary(name, basename(target));
      if (pid !== undefined && !isAlive(pid)) fs.rmSync(join(dirname(target), name), { force: true });
    }
  } catch {
    // They are in nobody's way.
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

function keepOwner(from: string, to: string): void {
  const { uid, gid } = fs.statSync(from);
  const created = fs.statSync(to);
  if (created.uid === uid && created.gid === gid) return;
  try {
    fs.chownSync(to, uid, gid);
  } catch {
    // Only a privileged user may; for the others the owner is the same, and only the group can differ.
  }
}

/** The file that a path leads to, also where the last link leads to a file that is not there yet. */
function followLinks(path: string): string {
  let current = path;
  for (let count = 0; count < MAX_LINKS; count += 1) {
    const link = readLink(current);
    if (link === undefined) return current;
    current = isAbsolute(link) ? link : resolve(fs.realpathSync(dirname(current)), link);
  }
  throw new SettingsFileError(`${path} is a link that leads to itself.`);
}

function readLink(path: string): string | undefined {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined;
  }
}
