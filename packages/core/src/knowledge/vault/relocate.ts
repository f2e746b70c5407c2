import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { syncDirectory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import { isSameState, toFileStat, type FileStat } from "./file-stat.ts";
import { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, type FileSystemCalls } from "./file-system-calls.ts";
import { readChunks, removeQuietly, writeNewFile } from "./new-file.ts";

/** The file system does not support hard links, the file has too many, or only its owner may link it. */
const NO_LINK_CODES = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"]);

/** Creates a hard link. Returns false if that is impossible, including across file systems, or if the name is taken. */
export async function tryLink(calls: FileSystemCalls, existing: string, created: string): Promise<boolean> {
  try {
    await calls.link(existing, created);
    return true;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "EEXIST" || code === "EXDEV" || (code !== undefined && NO_LINK_CODES.has(code))) return false;
    throw error;
  }
}

/**
 * Moves a file to a free name on the same file system. Throws EEXIST if the name is taken, even by another program during the
 * call: the new name is linked, which fails if it exists, before the old one is removed. A crash in between leaves both
 * names.
 */
export async function moveFileNoReplace(calls: FileSystemCalls, from: string, to: string): Promise<void> {
  try {
    await calls.link(from, to);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined || !NO_LINK_CODES.has(code)) throw error;
    await assertFree(calls, to);
    await calls.rename(from, to);
    return;
  }
  try {
    await calls.unlink(from);
  } catch (error) {
    await removeQuietly(calls, to);
    throw error;
  }
}

/** Like {@link moveFileNoReplace}, for a directory: reserves the name with an empty directory, which a rename may replace. */
export async function moveDirectoryNoReplace(calls: FileSystemCalls, from: string, to: string): Promise<void> {
  await calls.mkdir(to, 0o777);
  try {
    await calls.rename(from, to);
  } catch (error) {
    await calls.rmdir(to).catch(() => undefined);
    throw error;
  }
}

/**
 * Copies a regular file to a free name, with its mode and modification time. When this resolves, everything but the name is
 * durable. Returns the source's metadata after it was read to the end. Throws EEXIST if the name is taken.
 */
export async function copyFile(calls: FileSystemCalls, from: string, to: string): Promise<FileStat> {
  const fd = await calls.open(from, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const source = toFileStat(calls.fstat(fd));
    if (source.kind !== "file") throw Object.assign(new Error("not a regular file"), { code: "EINVAL" });
    await writeNewFile({ calls, path: to, content: readChunks(calls, fd), like: source, keepsTime: true });
    return toFileStat(calls.fstat(fd));
  } finally {
    calls.release(fd);
  }
}

export interface StoreCopy {
  readonly calls: FileSystemCalls;
  readonly from: string;
  /** Derived from the content, so an existing file has the same bytes. */
  readonly to: string;
  readonly expected: FileStat;
}

/** Copies a file durably into a content-addressed store. Returns false, storing nothing, if it is not the expected file. */
export async function storeCopy({ calls, from, to, expected }: StoreCopy): Promise<boolean> {
  if (await exists(calls, to)) return true;
  const temporary = `${to}.${randomUUID()}.tmp`;
  try {
    if (!isSameState(await copyFile(calls, from, temporary), expected)) {
      await removeQuietly(calls, temporary);
      return false;
    }
    await calls.rename(temporary, to);
  } catch (error) {
    await removeQuietly(calls, temporary);
    throw error;
  }
  await syncDirectory(calls, dirname(to));
  return true;
}

async function assertFree(calls: FileSystemCalls, path: string): Promise<void> {
  if (await exists(calls, path)) throw Object.assign(new Error("the name is taken"), { code: "EEXIST" });
}

/** Whether there is anything at a path, including a dangling link. */
export async function exists(calls: FileSystemCalls, path: string): Promise<boolean> {
  try {
    await calls.lstat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}
