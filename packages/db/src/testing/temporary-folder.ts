import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLifeline } from "../embedded/lifeline.ts";
import type { Log } from "../log.ts";

export interface TemporaryFolder {
  readonly path: string;
  /** Idempotent. */
  remove(): Promise<void>;
}

/** Where Linux keeps files in memory. */
const MEMORY_FOLDER = "/dev/shm";
/** Ample for the clusters of all projects; containers often have only 64 MB there. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;

/** Retries for a while, because a server that is shutting down may still write to it. */
const REMOVE = 'i=0; while [ -e "$1" ] && [ $i -lt 50 ]; do rm -rf -- "$1"; sleep 0.1; i=$((i+1)); done';

/**
 * Creates a folder, for this user only, that is removed when this process ends, if not before. It is in memory if there is room: a
 * cluster consists of hundreds of files, and copying them takes three times as much processor time on a disk.
 *
 * @param minFreeBytes - of memory, without which it is on a disk
 */
export async function createTemporaryFolder(log: Log, minFreeBytes = MIN_FREE_BYTES): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(await chooseParentFolder(minFreeBytes), "workspace-test-"));
  const lifeline = startLifeline(REMOVE, [path], { owner: undefined, log });
  const remove = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    lifeline.cut();
  };
  return { path, remove };
}

async function chooseParentFolder(minFreeBytes: number): Promise<string> {
  try {
    await access(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    const free = Math.min(bavail * bsize, process.availableMemory());
    return free >= minFreeBytes ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
