import { readdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Log } from "../log.ts";
import { errorCode } from "../system-error.ts";
import { syncPath } from "../sync-path.ts";
import { CLUSTER_FOLDER } from "./cluster.ts";
import { readClusterVersion } from "./cluster-files.ts";
import { chooseClusterOwner } from "./cluster-owner.ts";
import { endLeftoverProcesses } from "./leftover-processes.ts";
import { removeMovedTo, writeMovedTo } from "./moved-database.ts";
import { findPostgresBinaries } from "./postgres-binaries.ts";

/*
 * A cluster that is to take the place of another is filled in a data directory of its own, inside the service's. Renaming that
 * directory is what decides: under the first name the cluster is removed by the next start, under the second it takes its place,
 * and whatever of that has not happened yet is done by the next start.
 */
const UNFINISHED = "postgres-unfinished";
const FINISHED = "postgres-finished";
/** What follows the name of a cluster whose database was moved to another server. */
const MOVED = "moved";

/** The data directory in which to fill the cluster that will replace the one of a data directory. */
export function replacementDir(dataDir: string): string {
  return join(resolve(dataDir), UNFINISHED);
}

/** The major version of the cluster that a data directory has, and of the programs of the service. */
export interface ClusterVersions {
  /** Undefined if there is no cluster. */
  readonly cluster: string | undefined;
  readonly service: string;
  /** The older version that the service can read to bring it over; null if its programs are not installed. */
  readonly readable: string | null;
}

/**
 * Reads which major versions a data directory and the service have, after finishing a replacement that was interrupted. The caller
 * holds the lock of the data directory.
 */
export async function readClusterVersions(dataDir: string, log: Log): Promise<ClusterVersions> {
  await finishReplacement(resolve(dataDir), log);
  const { majorVersion: service } = await findPostgresBinaries();
  const previous = await findPostgresBinaries("previous").catch(() => null);
  return {
    cluster: await readClusterVersion(join(resolve(dataDir), CLUSTER_FOLDER)),
    service,
    readable: previous?.majorVersion ?? null,
  };
}

/**
 * Puts the cluster of {@link replacementDir} in place of the present one, which is kept as `postgres-VERSION`, or with a number
 * after it if that exists. Both servers have been shut down, and the caller holds the lock of the data directory. Returns the
 * folder of the former cluster, null if there was none.
 */
export async function replaceCluster(dataDir: string, log: Log): Promise<string | null> {
  const dir = resolve(dataDir);
  await syncPath(join(dir, UNFINISHED));
  await rename(join(dir, UNFINISHED), join(dir, FINISHED));
  await syncPath(dir);
  return takePlace(dir, log);
}

/**
 * Records that the database was moved to `place`, and keeps the cluster as `postgres-moved`, or with a number after it if that
 * exists. Its server has been shut down, and the caller holds the lock of the data directory. Returns the folder of the cluster.
 */
export async function setAsideMovedCluster(dataDir: string, place: string): Promise<string> {
  // First, because a start that finds neither the record nor a cluster would create one.
  await writeMovedTo(dataDir, place);
  return moveAside(resolve(dataDir), MOVED);
}

/** Whether a data directory has a cluster, be it one that has yet to take its place. Throws if the directory cannot be read. */
export async function hasClusterFolder(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir).catch((error: unknown): string[] => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  return names.includes(CLUSTER_FOLDER) || names.includes(FINISHED);
}

/** Completes a replacement that was decided, and removes one that was not. The caller holds the lock of the data directory. */
export async function finishReplacement(dataDir: string, log: Log): Promise<void> {
  const names = await readdir(dataDir);
  if (names.includes(FINISHED)) await takePlace(dataDir, log);
  if (names.includes(UNFINISHED)) await discard(dataDir, log);
}

async function takePlace(dataDir: string, log: Log): Promise<string | null> {
  const present = join(dataDir, CLUSTER_FOLDER);
  const finished = join(dataDir, FINISHED, CLUSTER_FOLDER);
  let former: string | null = null;
  // Otherwise only the folder that it was in is left.
  if ((await readClusterVersion(finished)) !== undefined) {
    // While the folder's name still says that the new cluster takes its place, whatever happens.
    await removeMovedTo(dataDir);
    const version = await readClusterVersion(present);
    if (version !== undefined) former = await moveAside(dataDir, version);
    await rename(finished, present);
    await syncPath(dataDir);
    await syncPath(join(dataDir, FINISHED));
    log.info({ dir: present, former }, "a new database cluster has taken its place");
  }
  await rm(join(dataDir, FINISHED), { recursive: true, force: true });
  return former;
}

async function moveAside(dataDir: string, suffix: string): Promise<string> {
  const names = await readdir(dataDir);
  const base = `${CLUSTER_FOLDER}-${suffix}`;
  let name = base;
  for (let number = 2; names.includes(name); number += 1) name = `${base}-${number}`;
  await rename(join(dataDir, CLUSTER_FOLDER), join(dataDir, name));
  await syncPath(dataDir);
  return join(dataDir, name);
}

async function discard(dataDir: string, log: Log): Promise<void> {
  const unfinished = join(dataDir, UNFINISHED);
  const dir = join(unfinished, CLUSTER_FOLDER);
  log.warn({ dir: unfinished }, "removing a database cluster whose filling was interrupted");
  if ((await readClusterVersion(dir)) !== undefined) {
    await endLeftoverProcesses({ dir, owner: await chooseClusterOwner(dir, log), log });
  }
  await rm(unfinished, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
