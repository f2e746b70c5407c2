import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { CHUNK_BYTES, type ContentWriter } from "../content-writer.ts";
import type { BackedUpFile, Part } from "../manifest.ts";

/** How often a file is read again that changes meanwhile. */
const ATTEMPTS = 4;
/** A file that was changed this recently may change again without another time. */
const SETTLED_AFTER_NS = 2_000_000_000n;

/** Finds the parts of content that is stored already, by its hash. */
export type FindStored = (sha256: string, size: number) => readonly Part[] | undefined;

export interface ReadInto {
  readonly writer: ContentWriter;
  readonly findStored: FindStored;
}

/**
 * Stores a file as it is at one moment: if it changes while it is read, it is read again. Null if it changes each time. Rejects
 * with the system's error if it cannot be read.
 */
export async function readFileInto(
  root: string,
  path: string,
  { writer, findStored }: ReadInto,
): Promise<BackedUpFile | null> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    // A link that has taken the place of the file is not followed.
    const file = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const before = await file.stat({ bigint: true });
      if (!before.isFile()) return null;
      const content = await readContent(file, Number(before.size), { writer, findStored });
      const after = await file.stat({ bigint: true });
      if (content !== null && identityOf(before) === identityOf(after)) return describe(path, before, content);
    } finally {
      await file.close();
    }
  }
  return null;
}

/** What shows, without reading it, that a file has not changed. */
export function identityOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

function describe(path: string, stat: BigIntStats, { sha256, parts }: { sha256: string; parts: Part[] }): BackedUpFile {
  const isSettled = BigInt(Date.now()) * 1_000_000n - stat.ctimeNs > SETTLED_AFTER_NS;
  return {
    path,
    sha256,
    size: Number(stat.size),
    mode: Number(stat.mode & 0o777n),
    mtimeNs: String(stat.mtimeNs),
    ...(isSettled ? { identity: identityOf(stat) } : {}),
    parts,
  };
}

async function readContent(
  file: FileHandle,
  size: number,
  { writer, findStored }: ReadInto,
): Promise<{ sha256: string; parts: Part[] } | null> {
  const hash = createHash("sha256");
  const parts: Part[] = [];
  for (let position = 0; position < size;) {
    const wanted = Math.min(CHUNK_BYTES, size - position);
    const piece = await readExactly(file, position, wanted);
    if (piece === null) return null;
    hash.update(piece);
    if (wanted === size) {
      const sha256 = hash.digest("hex");
      const stored = findStored(sha256, size);
      if (stored !== undefined) return { sha256, parts: [...stored] };
      await writer.add(piece, parts);
      return { sha256, parts };
    }
    await writer.add(piece, parts);
    position += wanted;
  }
  return { sha256: hash.digest("hex"), parts };
}

/** Null if the file is shorter than it was. */
async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer | null> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  return buffer;
}
