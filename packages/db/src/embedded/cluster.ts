import type { Log } from "../log.ts";
import type { ProcessOwner } from "../run-program.ts";

/** A PostgreSQL data directory that is ready to be served, and how to serve it. */
export interface Cluster {
  /** Its absolute path. */
  readonly dir: string;
  /** Whom its files belong to; undefined: this process's own user. */
  readonly owner: ProcessOwner | undefined;
  /** The folder of `initdb` and `postgres`, reachable for the owner. */
  readonly binDir: string;
  readonly log: Log;
}

/** The role that owns everything in the cluster, and the database of the service. */
export const CLUSTER_USER = "workspace";
export const CLUSTER_DATABASE = "workspace";

/** Part of the socket's file name only, as there is no network port. */
export const CLUSTER_PORT = 5432;

/**
 * What a program that runs inside the cluster's folder calls that folder.
 *
 * The owner often may not walk the path to its own cluster: the service's data directory is closed to everyone but the
 * service's user, and stays so. Node enters the folder before it gives up its rights, and on Linux `/proc/self/cwd` then
 * leads straight there, without the folders above being looked at.
 */
export function ownPathOfCluster(clusterDir: string): string {
  return process.platform === "linux" ? "/proc/self/cwd" : clusterDir;
}
