import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { syncDirectory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, type FileSystemCalls } from "./file-system-calls.ts";
import { isSameState, toFileStat, type FileStat } from "./file-stat.ts";
import { readChunks, removeQuietly, writeNewFile } from "./new-file.ts";

/** A file system without hard links, a file with too many, or one that its owner alone may link. */
const NO_LINK_CODES = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"]);

/** Gives a file a second name. False where the file system cannot, also because the name is on another one or taken. */
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
 * Moves a file to a name that is free, on the same file system. Throws EEXIST where it is not, also when another program
 * takes it during the call: the new name is linked, which the kernel refuses if it exists, before the old one goes. A crash
 * in between leaves both names.
 */
export async function moveFileToFreeName(calls: FileSystemCalls, from: string, to: string): Promise<void> {
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

/** As {@link moveFileToFreeName} for a directory: the name is claimed by an empty one, which the kernel lets it replace. */
export async function moveDirectoryToFreeName(calls: FileSystemCalls, from: string, to: string): Promise<void> {
  await calls.mkdir(to, 0o777);
  try {
    await calls.rename(from, to);
  } catch (error) {
    await calls.rmdir(to).catch(() => undefined);
    throw error;
  }
}

/**
 * Copies a regular file to a name that is free, with its mode and modification time, all on the disk when this resolves but
 * the name. Answers the state of the source after its last byte was read. Throws EEXIST where the name is not free.
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
  /** Named for the content, so what is there already has the same bytes. */
  readonly to: string;
  readonly expected: FileStat;
}

/** Copies a file into a store by content, for good. False, and nothing is stored, where it is not the expected file. */
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

/** Whether anything has the name, a link that leads nowhere too. */
export async function exists(calls: FileSystemCalls, path: string): Promise<boolean> {
  try {
    await calls.lstat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}
