import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLifeline } from "../embedded/lifeline.ts";
import type { Log } from "../log.ts";

export interface TemporaryFolder {
  readonly path: string;
  /** Idempotent. */
  remove(): Promise<void>;
}

/** Retries for a while, because a server that is shutting down may still write to it. */
const REMOVE = 'i=0; while [ -e "$1" ] && [ $i -lt 50 ]; do rm -rf -- "$1"; sleep 0.1; i=$((i+1)); done';

/** Creates a folder in `parent` for this user only that is removed when this process ends, if not before. */
export async function createTemporaryFolder(log: Log, parent = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, "workspace-test-"));
  const lifeline = startLifeline(REMOVE, [path], { owner: undefined, log });
  const remove = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    lifeline.cut();
  };
  return { path, remove };
}
