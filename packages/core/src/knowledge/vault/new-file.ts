import { systemErrorCode } from "./file-error.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import { O_CREAT, O_EXCL, O_NOFOLLOW, O_SYNC, O_WRONLY, type FileSystemCalls } from "./file-system-calls.ts";

/** The content of a file: all at once, or in chunks as they arrive. */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

const READ_CHUNK_BYTES = 1024 * 1024;

export interface NewFile {
  readonly calls: FileSystemCalls;
  readonly path: string;
  readonly content: FileContent;
  /** A file whose mode and owner to copy. */
  readonly like: FileStat | null;
  /** Whether to copy its modification time too. */
  readonly keepsTime?: boolean;
}

/**
 * Creates a file that must not exist yet. When this resolves, its content is durable; its name requires a sync of the
 * directory as well. On failure the file is removed.
 */
export async function writeNewFile({ calls, path, content, like, keepsTime = false }: NewFile): Promise<FileStat> {
  // A single write can be made synchronous, which saves a call.
  const sync = content instanceof Uint8Array && content.byteLength > 0 ? O_SYNC : 0;
  const fd = await calls.open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | sync, like?.mode ?? 0o666);
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) await writeAll(calls, fd, chunk);
    const written = toFileStat(calls.fstat(fd));
    const isChanged = like !== null && (await copyAttributes({ calls, fd, written, like, keepsTime }));
    if (sync === 0 || isChanged) await calls.fsync(fd);
    return isChanged ? toFileStat(calls.fstat(fd)) : written;
  } catch (error) {
    await removeQuietly(calls, path);
    throw error;
  } finally {
    // Everything is already on disk, so closing cannot fail in any way that matters.
    calls.release(fd);
  }
}

/** The content of an open file, chunk by chunk. */
export async function* readChunks(calls: FileSystemCalls, fd: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    const buffer = Buffer.allocUnsafe(READ_CHUNK_BYTES);
    const length = await calls.read(fd, buffer, position);
    if (length === 0) return;
    yield buffer.subarray(0, length);
    position += length;
  }
}

/** For cleaning up after an error without hiding that error; what cannot be removed is swept at the next start. */
export async function removeQuietly(calls: FileSystemCalls, path: string): Promise<void> {
  await calls.unlink(path).catch(() => undefined);
}

async function writeAll(calls: FileSystemCalls, fd: number, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.byteLength > 0;) rest = rest.subarray(await calls.write(fd, rest));
}

interface AttributeCopy {
  readonly calls: FileSystemCalls;
  readonly fd: number;
  readonly written: FileStat;
  readonly like: FileStat;
  readonly keepsTime: boolean;
}

/** Returns whether there was anything to change. */
async function copyAttributes({ calls, fd, written, like, keepsTime }: AttributeCopy): Promise<boolean> {
  const isOwned = written.uid === like.uid && written.gid === like.gid;
  if (!isOwned) {
    try {
      await calls.fchown(fd, like.uid, like.gid);
    } catch (error) {
      // Only root may change the owner of a file; the content matters more than the owner.
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
