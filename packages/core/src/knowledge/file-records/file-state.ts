import { NotFoundError } from "../../platform/errors.ts";
import { hashFile } from "../vault/content-hash.ts";
import type { FileSlot } from "../vault/file-slot.ts";
import { isSameState, type FileStat } from "../vault/file-stat.ts";

/** The state of a file on disk. */
export interface FileState {
  readonly stat: FileStat;
  readonly contentHash: string;
}

/** Hashes the file in a slot; null if there is none. If it has not changed since `before`, it is not read again. */
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
