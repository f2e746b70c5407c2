import type { Log } from "../log.ts";
import type { ProcessOwner } from "../run-program.ts";

/** A PostgreSQL data directory that is ready to use, and what is needed to run its server. */
export interface Cluster {
  /** Its absolute path. */
  readonly dir: string;
  /** The owner of its files; undefined for this process's own user. */
  readonly owner: ProcessOwner | undefined;
  /** The folder of `initdb` and `postgres`, which the owner can access. */
  readonly binDir: string;
  /** The major version of PostgreSQL, such as `18`. */
  readonly majorVersion: string;
  readonly log: Log;
}

/** The folder of the cluster in the service's data directory. */
export const CLUSTER_FOLDER = "postgres";

/** The role that owns everything in the cluster, and the database of the service. */
export const CLUSTER_USER = "workspace";
export const CLUSTER_DATABASE = "workspace";

/** Only part of the socket's file name, as there is no network port. */
export const CLUSTER_PORT = 5432;

/**
 * The path by which a program that runs in the cluster's folder refers to that folder.
 *
 * Often the owner cannot traverse the path to its own cluster: the service's data directory is, and remains, only accessible to
 * the service's user. Node enters the folder before it drops its privileges, and on Linux `/proc/self/cwd` then leads there
 * directly, without access to the folders above.
 */
export function ownPathOfCluster(clusterDir: string): string {
  return process.platform === "linux" ? "/proc/self/cwd" : clusterDir;
}
