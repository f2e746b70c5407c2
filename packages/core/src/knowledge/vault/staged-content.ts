import { createHash, randomUUID } from "node:crypto";
import { createReadStream, type ReadStream } from "node:fs";
import { mkdir, open, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { StoreContent } from "@workspace/object-store";
import { TooLargeError } from "../../platform/errors.ts";
import type { FileStat } from "./file-stat.ts";
import type { FileContent } from "./new-file.ts";
import { tooLarge, type OpenFile } from "./regular-file.ts";
import { toStat } from "./stored-stat.ts";

/** What a store takes in one request. */
const MAX_BYTES = 5 * 1024 ** 3;

/** Content that is about to be sent, and can be read any number of times. */
export interface StagedContent {
  /** As it will be once it has been stored. */
  readonly stat: FileStat;
  readonly content: StoreContent;
  open(): OpenFile;
  release(): Promise<void>;
}

export interface StagingOptions {
  /** A folder of this machine, for content that arrives in chunks. */
  readonly folder: string;
  readonly now: () => Date;
}

/** Throws TooLargeError for more than the store takes. */
export async function stageContent(content: FileContent, { folder, now }: StagingOptions): Promise<StagedContent> {
  if (content instanceof Uint8Array) return stageBytes(content, now());
  const file = await createNamelessFile(folder);
  try {
    const hashes = { md5: createHash("md5"), sha256: createHash("sha256") };
    let size = 0;
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw new TooLargeError("The vault's store takes no file of more than 5 GB.");
      for (const hash of Object.values(hashes)) hash.update(chunk);
      await file.writeFile(chunk);
    }
    const etag = hashes.md5.digest("hex");
    const stat = toStat({ size, etag, modifiedAt: now() });
    const read = ({ start, length }: { start: number; length: number }): ReadStream =>
      createReadStream("", { fd: file.fd, autoClose: false, start, end: Math.max(start + length - 1, start) });
    const whole = (): AsyncIterable<Uint8Array> => (size === 0 ? Readable.from([]) : read({ start: 0, length: size }));
    return {
      stat,
      content: { size, sha256: hashes.sha256.digest("hex"), read: whole },
      release: () => file.close(),
      open: () => ({
        ...readingAt(stat, async (position, length) => {
          const buffer = Buffer.alloc(length);
          return buffer.subarray(0, (await file.read(buffer, 0, length, position)).bytesRead);
        }),
        chunks: whole,
        stream: read,
      }),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function stageBytes(bytes: Uint8Array, now: Date): StagedContent {
  const etag = createHash("md5").update(bytes).digest("hex");
  const stat = toStat({ size: bytes.byteLength, etag, modifiedAt: now });
  return { stat, content: bytes, open: () => openBytes(stat, Buffer.from(bytes)), release: () => Promise.resolve() };
}

/** A file whose content is in memory. */
export function openBytes(stat: FileStat, bytes: Buffer): OpenFile {
  return {
    ...readingAt(stat, (position, length) => Promise.resolve(bytes.subarray(position, position + length))),
    chunks: () => Readable.from(bytes.length === 0 ? [] : [bytes]),
    stream: ({ start, length }) => Readable.from([bytes.subarray(start, start + length)]),
  };
}

type ReadAt = (position: number, length: number) => Promise<Buffer>;

/** The part of an open file that is read at once. */
export function readingAt(stat: FileStat, readAt: ReadAt): Pick<OpenFile, "stat" | "readAt" | "readAll" | "release"> {
  return {
    stat,
    readAt,
    async readAll(maxBytes) {
      if (stat.sizeBytes > maxBytes) throw tooLarge(maxBytes);
      return readAt(0, stat.sizeBytes);
    },
    release: () => undefined,
  };
}

/** A file that is gone once it is closed, however that happens. */
async function createNamelessFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}
