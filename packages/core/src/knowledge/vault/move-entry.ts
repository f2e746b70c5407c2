import type { Directory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { copyFile, moveDirectoryNoReplace, moveFileNoReplace } from "./relocate.ts";

/** A name in an open directory. */
export interface EntryPlace {
  readonly directory: Directory;
  readonly name: string;
}

export interface MoveEntry {
  readonly calls: FileSystemCalls;
  readonly from: EntryPlace;
  readonly to: EntryPlace;
  /** A name next to `to` for the copy, if the two are on different file systems. */
  readonly temporaryName: string;
}

/**
 * Moves a file or a whole directory durably to a free name, even to another file system, where it is copied in full before
 * the original is removed. Throws EEXIST if the name is taken. A failure leaves everything where it was.
 */
export async function moveEntry(move: MoveEntry): Promise<void> {
  const { calls, from, to } = move;
  const stat = toFileStat(await calls.lstat(pathOf(from)));
  try {
    await moveNoReplace(calls, stat, from, to);
  } catch (error) {
    if (systemErrorCode(error) !== "EXDEV") throw error;
    await moveAcross(move, stat);
    return;
  }
  try {
    await to.directory.sync();
    await from.directory.sync();
  } catch (error) {
    await moveNoReplace(calls, stat, to, from).catch(() => undefined);
    throw error;
  }
}

/** Removes an entry recursively. Links are removed, never followed. */
export async function removeEntry(calls: FileSystemCalls, { directory, name }: EntryPlace): Promise<void> {
  const { kind } = toFileStat(await calls.lstat(directory.entry(name)));
  if (kind !== "directory") {
    await calls.unlink(directory.entry(name));
    return;
  }
  const child = await directory.openChild(name);
  try {
    for (const entry of await calls.readdir(child.entry("."))) {
      await removeEntry(calls, { directory: child, name: toName(entry) });
    }
  } finally {
    child.release();
  }
  await calls.rmdir(directory.entry(name));
}

function moveNoReplace(calls: FileSystemCalls, stat: FileStat, from: EntryPlace, to: EntryPlace): Promise<void> {
  const move = stat.kind === "directory" ? moveDirectoryNoReplace : moveFileNoReplace;
  return move(calls, pathOf(from), pathOf(to));
}

async function moveAcross({ calls, from, to, temporaryName }: MoveEntry, stat: FileStat): Promise<void> {
  const copy = { directory: to.directory, name: temporaryName };
  try {
    await copyEntry(calls, from, copy);
    await moveNoReplace(calls, stat, copy, to);
    await to.directory.sync();
  } catch (error) {
    await removeEntry(calls, copy).catch(() => undefined);
    throw error;
  }
  await removeEntry(calls, from);
  await from.directory.sync();
}

/**
 * Copies an entry recursively. When this resolves, everything but the entry's own name is durable. Devices, FIFOs and sockets
 * have no content to copy and are skipped.
 */
export async function copyEntry(calls: FileSystemCalls, from: EntryPlace, to: EntryPlace): Promise<void> {
  const { kind, mode } = toFileStat(await calls.lstat(pathOf(from)));
  if (kind === "file") await copyFile(calls, pathOf(from), pathOf(to));
  if (kind === "link") await calls.symlink(await calls.readlink(pathOf(from)), pathOf(to));
  if (kind !== "directory") return;
  await calls.mkdir(pathOf(to), mode);
  const source = await from.directory.openChild(from.name);
  try {
    const target = await to.directory.openChild(to.name);
    try {
      for (const entry of await calls.readdir(source.entry("."))) {
        const name = toName(entry);
        await copyEntry(calls, { directory: source, name }, { directory: target, name });
      }
      await target.sync();
    } finally {
      target.release();
    }
  } finally {
    source.release();
  }
}

function pathOf({ directory, name }: EntryPlace): string {
  return directory.entry(name);
}

/** Names that are not valid UTF-8 are mangled here: the next call fails with "not found" before anything is removed. */
function toName(bytes: Buffer): string {
  return bytes.toString("utf8");
}
