import * as fs from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE_MODE, ensurePrivateDir } from "../files/atomic-file.ts";

/** Things that went wrong so often that a person should know how often. */
export const COUNTERS = ["dropped", "rejected"] as const;
export type Counter = (typeof COUNTERS)[number];

/**
 * Counts something. The count is the length of a file: appending a byte is one step to the file system, so that any
 * number of processes can count at once without a lock. Never throws: what cannot be counted has failed already.
 */
export function count(directory: string, counter: Counter, times = 1): void {
  try {
    fs.appendFileSync(join(directory, counter), ".".repeat(times), { mode: PRIVATE_FILE_MODE });
  } catch {
    countInNewDirectory(directory, counter, times);
  }
}

function countInNewDirectory(directory: string, counter: Counter, times: number): void {
  try {
    ensurePrivateDir(directory);
    fs.appendFileSync(join(directory, counter), ".".repeat(times), { mode: PRIVATE_FILE_MODE });
  } catch {
    // The disk is full or closed to us; the caller reports the failure that led here.
  }
}

export function readCounter(directory: string, counter: Counter): number {
  try {
    return fs.statSync(join(directory, counter)).size;
  } catch {
    return 0;
  }
}
