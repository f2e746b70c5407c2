import { NotFoundError } from "../platform/errors.ts";
import { hashFile } from "../vault/content-hash.ts";
import type { FileSlot } from "../vault/file-slot.ts";
import { isSameState, type FileStat } from "../vault/file-stat.ts";

/** A file as it is on the disk. */
export interface FileState {
  readonly stat: FileStat;
  readonly contentHash: string;
}

/**
 * Reads what a look at a slot has found; null for nothing. What was read before is not read again if it is still the same.
 */
export async function readFileState(
  slot: FileSlot,
  stat: FileStat | null,
  before: FileState | null,
): Promise<FileState | null> {
  if (stat === null) return null;
  if (before !== null && isSameState(before.stat, stat)) return before;
  try {
    const file = await slot.open();
    try {
      return { stat: file.stat, contentHash: await hashFile(file) };
    } finally {
      file.release();
    }
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
