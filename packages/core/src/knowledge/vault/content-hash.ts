import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenFile } from "./regular-file.ts";

/** Files up to this size are hashed in full. */
const FULLY_HASHED_BYTES = 64 * 1024 * 1024;
const SAMPLE_BYTES = 1024 * 1024;

/** SHA-256, lower-case hex. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Like {@link hashBytes}, but yields to the event loop while hashing large content. */
export async function hashContent(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let start = 0; start < bytes.byteLength; start += SAMPLE_BYTES) {
    if (start > 0) await nextTurn();
    hash.update(bytes.subarray(start, start + SAMPLE_BYTES));
  }
  return hash.digest("hex");
}

/** Whether the hash of a file of this size covers all of its bytes. */
export function isFullyHashed(sizeBytes: number): boolean {
  return sizeBytes <= FULLY_HASHED_BYTES;
}

/** The content hash of an open file, as stored with its document. */
export async function hashFile(file: OpenFile): Promise<string> {
  const { sizeBytes } = file.stat;
  if (!isFullyHashed(sizeBytes)) return hashSamples(file);
  if (sizeBytes <= SAMPLE_BYTES) return hashBytes(await file.readAll(SAMPLE_BYTES));
  const hash = createHash("sha256");
  for await (const chunk of file.chunks()) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * The hash that stands in for a large file's content: of its size, its modification time, and samples from its start, middle
 * and end. Hashing all of it would occupy a request, and a CPU, for too long.
 */
export async function hashSamples(file: OpenFile): Promise<string> {
  const { sizeBytes, mtimeNs } = file.stat;
  const hash = createHash("sha256").update(`${sizeBytes}:${mtimeNs}`);
  for (const position of [0, Math.floor(sizeBytes / 2), sizeBytes - SAMPLE_BYTES]) {
    hash.update(await file.readAt(position, SAMPLE_BYTES));
  }
  return hash.digest("hex");
}
