import { createHash } from "node:crypto";
import type { OpenFile } from "./regular-file.ts";

/** Files up to this size are told apart by all of their bytes. */
const FULLY_HASHED_BYTES = 64 * 1024 * 1024;
const SAMPLE_BYTES = 1024 * 1024;

/** SHA-256, lower-case hex. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Whether a file's hash is of all its bytes. */
export function isFullyHashed(sizeBytes: number): boolean {
  return sizeBytes <= FULLY_HASHED_BYTES;
}

/** The hash of an open file's content, as documents record it. */
export async function hashFile(file: OpenFile): Promise<string> {
  const { sizeBytes } = file.stat;
  if (!isFullyHashed(sizeBytes)) return hashSamples(file);
  if (sizeBytes <= SAMPLE_BYTES) return hashBytes(await file.readAll(SAMPLE_BYTES));
  const hash = createHash("sha256");
  for await (const chunk of file.chunks()) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * What tells a large file's content from another: its size, its modification time, and samples from its start, middle and
 * end. Reading all of it would keep a request, and a processor, busy for as long as the file is.
 */
export async function hashSamples(file: OpenFile): Promise<string> {
  const { sizeBytes, mtimeNs } = file.stat;
  const hash = createHash("sha256").update(`${sizeBytes}:${mtimeNs}`);
  for (const position of [0, Math.floor(sizeBytes / 2), sizeBytes - SAMPLE_BYTES]) {
    hash.update(await file.readAt(position, SAMPLE_BYTES));
  }
  return hash.digest("hex");
}
