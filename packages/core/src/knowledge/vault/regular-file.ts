import type { Readable } from "node:stream";
import { InvalidInputError, TooLargeError } from "../../platform/errors.ts";
import type { Directory } from "./directory.ts";
import { linkRefused } from "./file-error.ts";
import { isSameState, toFileStat, type FileStat } from "./file-stat.ts";
import { O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, type FileSystemCalls } from "./file-system-calls.ts";
import { readChunks } from "./new-file.ts";

/** A regular file that is open for reading: always the same file, whatever happens to its name. */
export interface OpenFile {
  readonly stat: FileStat;
  /** Reads the whole content, up to its size when it was opened. Throws {@link TooLargeError} if that exceeds `maxBytes`. */
  readAll(maxBytes: number): Promise<Buffer>;
  /** Reads up to `length` bytes from `position`. */
  readAt(position: number, length: number): Promise<Buffer>;
  /** Reads the content chunk by chunk. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Streams a range and then releases the file; no other method may be called afterwards. */
  stream(range: { readonly start: number; readonly length: number }): Readable;
  release(): void;
}

/**
 * Opens a regular file in a directory. Devices and FIFOs are never opened, since that could block or have side effects.
 * Throws ForbiddenError for a link and {@link InvalidInputError} for anything else.
 */
export async function openRegularFile(calls: FileSystemCalls, directory: Directory, name: string): Promise<OpenFile> {
  const fd = directory.hasDescriptor
    ? await openByDescriptor(calls, directory.entry(name))
    : await openByPath(calls, directory.entry(name));
  const stat = toFileStat(calls.fstat(fd));

  const readAt = async (position: number, length: number): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = await calls.read(fd, buffer.subarray(filled), position + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  };

  return {
    stat,
    readAt,
    chunks: () => readChunks(calls, fd),
    stream: (range) => calls.stream(fd, range),
    release: () => calls.release(fd),
    async readAll(maxBytes) {
      if (stat.sizeBytes > maxBytes) throw tooLarge(maxBytes);
      return readAt(0, stat.sizeBytes);
    },
  };
}

/** Examines the entry without opening it, then opens exactly what was examined. */
async function openByDescriptor(calls: FileSystemCalls, entry: string): Promise<number> {
  const pathFd = await calls.open(entry, O_PATH | O_NOFOLLOW);
  try {
    assertRegular(toFileStat(calls.fstat(pathFd)));
    return await calls.open(`/proc/self/fd/${pathFd}`, O_RDONLY | O_NONBLOCK);
  } finally {
    calls.release(pathFd);
  }
}

async function openByPath(calls: FileSystemCalls, entry: string): Promise<number> {
  const found = toFileStat(await calls.lstat(entry));
  assertRegular(found);
  const fd = await calls.open(entry, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  const opened = toFileStat(calls.fstat(fd));
  if (opened.kind === "file" && isSameState(found, opened)) return fd;
  calls.release(fd);
  throw new InvalidInputError("The file was replaced while it was being opened. Try again.");
}

export function assertRegular(stat: FileStat): void {
  switch (stat.kind) {
    case "file":
      return;
    case "link":
      throw linkRefused();
    case "directory":
      throw new InvalidInputError("The path is a directory.");
    case "special":
      throw new InvalidInputError("The path is neither a file nor a directory.");
  }
}

/** For content that is asked for as a whole. */
export function tooLarge(maxBytes: number): TooLargeError {
  return new TooLargeError(`The file is larger than ${maxBytes} bytes. Use /api/fs/raw, which streams it.`);
}
