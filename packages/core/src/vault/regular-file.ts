import type { Readable } from "node:stream";
import { InvalidInputError, TooLargeError } from "../platform/errors.ts";
import type { Directory } from "./directory.ts";
import { linkRefused } from "./file-error.ts";
import { O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, type FileSystemCalls } from "./file-system-calls.ts";
import { isSameState, toFileStat, type FileStat } from "./file-stat.ts";
import { readChunks } from "./new-file.ts";

/** A regular file that is open for reading: the same file to its end, whatever happens to its name. */
export interface OpenFile {
  readonly stat: FileStat;
  /** The whole content, as long as it was when the file was opened. Throws {@link TooLargeError} where it is more than `maxBytes`. */
  readAll(maxBytes: number): Promise<Buffer>;
  /** Up to `length` bytes from `position`. */
  readAt(position: number, length: number): Promise<Buffer>;
  /** Piece by piece, from the start. */
  chunks(): AsyncIterable<Uint8Array>;
  /** A stream of a part, which releases the file at its end; nothing else may be called after it. */
  stream(range: { readonly start: number; readonly length: number }): Readable;
  release(): void;
}

/**
 * Opens an entry of a directory, which must be a regular file: what a device or a FIFO would do when opened never happens.
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

/** Looks at the entry without opening it, then opens exactly what was looked at. */
async function openByDescriptor(calls: FileSystemCalls, entry: string): Promise<number> {
  const place = await calls.open(entry, O_PATH | O_NOFOLLOW);
  try {
    assertRegular(toFileStat(calls.fstat(place)));
    return await calls.open(`/proc/self/fd/${place}`, O_RDONLY | O_NONBLOCK);
  } finally {
    calls.release(place);
  }
}

async function openByPath(calls: FileSystemCalls, entry: string): Promise<number> {
  const found = toFileStat(await calls.lstat(entry));
  assertRegular(found);
  const fd = await calls.open(entry, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  const opened = toFileStat(calls.fstat(fd));
  if (opened.kind === "file" && isSameState(found, opened)) return fd;
  calls.release(fd);
  throw new InvalidInputError("The file was replaced while it was opened. Try again.");
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

function tooLarge(maxBytes: number): TooLargeError {
  return new TooLargeError(`The file is larger than ${maxBytes} bytes. Use /api/fs/raw, which streams it.`);
}
