import * as fs from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE_MODE, ensurePrivateDir } from "../files/atomic-file.ts";

/** Failures whose number matters to users. */
export const COUNTERS = ["dropped", "rejected"] as const;
export type Counter = (typeof COUNTERS)[number];

/**
 * Counts a failure. The count is the length of a file: appending a byte is atomic, so that any number of processes can count
 * without a lock. Never throws: the failure being counted has already happened.
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
    // The disk is full or read-only; the caller reports the failure that led here.
  }
}

export function readCounter(directory: string, counter: Counter): number {
  try {
    return fs.statSync(join(directory, counter)).size;
  } catch {
    return 0;
  }
}
