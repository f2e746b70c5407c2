import * as fs from "node:fs";
import { type JsonRecord, parseRecord } from "../json/json-value.ts";
import { basename, dirname, join } from "node:path";

export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_DIR_MODE = 0o700;

export interface AtomicWriteOptions {
  readonly mode?: number;
  /** Whether to flush the bytes and the directory to disk, so that a power cut leaves the old or the new file. */
  readonly isDurable?: boolean;
}

let temporaryCount = 0;

/** The prefix of a file being written; one that is older than a minute was left behind by a crash. */
export const TEMPORARY_PREFIX = ".tmp-";

/**
 * Replaces a file atomically: readers see the old bytes or the new ones, never a part. The temporary file is removed if the
 * write fails.
 */
export function writeFileAtomic(path: string, data: string | Buffer, options: AtomicWriteOptions = {}): void {
  const temporary = temporaryPathFor(path);
  try {
    writeNewFile(temporary, data, options);
    fs.renameSync(temporary, path);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  if (options.isDurable === true) syncDirectory(dirname(path));
}

/** Creates a file that appears complete and stays as it is. Returns false if it exists. */
export function writeOnce(path: string, data: string | Buffer): boolean {
  const temporary = temporaryPathFor(path);
  try {
    writeNewFile(temporary, data);
    fs.linkSync(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST") || fs.existsSync(path)) return false;
    // Some file systems have no links.
    fs.renameSync(temporary, path);
    return true;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** A name in the same directory that no other process uses. */
export function temporaryPathFor(path: string): string {
  temporaryCount += 1;
  return join(dirname(path), `${TEMPORARY_PREFIX}${process.pid}-${temporaryCount}-${basename(path)}`);
}

/**
 * The process that was writing a file under this temporary name; undefined if it is not the name of a temporary file for
 * `file`.
 */
export function pidOfTemporary(name: string, file: string): number | undefined {
  if (!name.startsWith(TEMPORARY_PREFIX) || !name.endsWith(`-${file}`)) return undefined;
  const [, pid] = /^(\d+)-\d+$/.exec(name.slice(TEMPORARY_PREFIX.length, -file.length - 1)) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

export function writeNewFile(path: string, data: string | Buffer, options: AtomicWriteOptions = {}): void {
  const mode = options.mode ?? PRIVATE_FILE_MODE;
  const descriptor = fs.openSync(path, "wx", mode);
  try {
    fs.writeFileSync(descriptor, data);
    // The umask may have removed bits that the replaced file has.
    if (options.mode !== undefined) fs.fchmodSync(descriptor, mode);
    if (options.isDurable === true) fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function syncDirectory(path: string): void {
  const descriptor = fs.openSync(path, "r");
  try {
    fs.fsyncSync(descriptor);
  } catch {
    // Some file systems cannot flush a directory; the rename itself has succeeded.
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The text of a file; undefined if it does not exist. Any other failure throws. */
export function readTextIfExists(path: string): string | undefined {
  return readIfExists(path)?.toString("utf8");
}

export function readIfExists(path: string | Buffer): Buffer | undefined {
  try {
    return fs.readFileSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/** The text of a file; undefined if it does not exist or cannot be read. */
export function tryRead(path: string): string | undefined {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The JSON object in one of our own files; undefined if it does not exist or cannot be read. */
export function tryReadRecord(path: string): JsonRecord | undefined {
  return parseRecord(tryRead(path) ?? "");
}

export function statIfExists(path: string): fs.Stats | undefined {
  return fs.statSync(path, { throwIfNoEntry: false });
}

/** What is known of a file; undefined if it does not exist or cannot be looked at. */
export function tryStat(path: string): fs.Stats | undefined {
  try {
    return statIfExists(path);
  } catch {
    return undefined;
  }
}

export function ensurePrivateDir(path: string): void {
  fs.mkdirSync(path, { recursive: true, mode: PRIVATE_DIR_MODE });
}

/** Whether a file system error has this code, for example `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return errorCode(error) === code;
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** One line that describes an error to a user: its code if there is one, otherwise the message. */
export function describeError(error: unknown): string {
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === undefined || message.includes(code) ? message : `${code}: ${message}`;
}
