import { systemErrorCode } from "./file-error.ts";
import { O_CREAT, O_EXCL, O_NOFOLLOW, O_SYNC, O_WRONLY, type FileSystemCalls } from "./file-system-calls.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";

/** What a file is made of: all of it, or piece by piece as it arrives. */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

const READ_CHUNK_BYTES = 1024 * 1024;

export interface NewFile {
  readonly calls: FileSystemCalls;
  readonly path: string;
  readonly content: FileContent;
  /** A file whose mode and owner it gets. */
  readonly like: FileStat | null;
  /** Whether it gets the modification time of that file too. */
  readonly keepsTime?: boolean;
}

/**
 * Makes a file that was not there, with all of its content on the disk when this resolves; its name needs a sync of the
 * directory as well. What was made before a failure is removed again.
 */
export async function writeNewFile({ calls, path, content, like, keepsTime = false }: NewFile): Promise<FileStat> {
  // One piece needs no call of its own to be synced.
  const sync = content instanceof Uint8Array && content.byteLength > 0 ? O_SYNC : 0;
  const fd = await calls.open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | sync, like?.mode ?? 0o666);
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) await writeAll(calls, fd, chunk);
    const written = toFileStat(calls.fstat(fd));
    const isChanged = like !== null && (await makeLike({ calls, fd, written, like, keepsTime }));
    if (sync === 0 || isChanged) await calls.fsync(fd);
    return isChanged ? toFileStat(calls.fstat(fd)) : written;
  } catch (error) {
    await removeQuietly(calls, path);
    throw error;
  } finally {
    // All of it is on the disk by now, so closing has nothing left to fail at.
    calls.release(fd);
  }
}

/** The bytes of an open file, from its start to its end. */
export async function* readChunks(calls: FileSystemCalls, fd: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    const buffer = Buffer.allocUnsafe(READ_CHUNK_BYTES);
    const length = await calls.read(fd, buffer, position);
    if (length === 0) return;
    yield buffer.subarray(0, length);
    position += length;
  }
}

/** For cleaning up after a failure, which must not hide the failure itself; what stays is swept at the next start. */
export async function removeQuietly(calls: FileSystemCalls, path: string): Promise<void> {
  await calls.unlink(path).catch(() => undefined);
}

async function writeAll(calls: FileSystemCalls, fd: number, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.byteLength > 0;) rest = rest.subarray(await calls.write(fd, rest));
}

interface MakeLike {
  readonly calls: FileSystemCalls;
  readonly fd: number;
  readonly written: FileStat;
  readonly like: FileStat;
  readonly keepsTime: boolean;
}

/** Answers whether there was anything to change. */
async function makeLike({ calls, fd, written, like, keepsTime }: MakeLike): Promise<boolean> {
  const isOwned = written.uid === like.uid && written.gid === like.gid;
  if (!isOwned) {
    try {
      await calls.fchown(fd, like.uid, like.gid);
    } catch (error) {
      // Only root may give files away; the content matters more than the name on it.
      if (systemErrorCode(error) !== "EPERM") throw error;
    }
  }
  if (!isOwned || written.mode !== like.mode) await calls.fchmod(fd, like.mode);
  if (keepsTime) await calls.futimes(fd, toSeconds(like.mtimeNs), toSeconds(like.mtimeNs));
  return !isOwned || written.mode !== like.mode || keepsTime;
}

function toSeconds(timeNs: bigint): number {
  return Number(timeNs) / 1e9;
}
