import { join, resolve } from "node:path";
import { CLUSTER_DATABASE, CLUSTER_PORT, CLUSTER_USER } from "./cluster.ts";
import type { EmbeddedPoolConfig } from "./embedded-postgres.ts";
import { readPidFile } from "./pid-file.ts";
import { openSocketFolder } from "./socket-folder.ts";

/** The way to the server that a running service has started. */
export interface RunningPostgres {
  readonly poolConfig: EmbeddedPoolConfig;
  /** Releases what this process needs for the way; the server goes on. Idempotent. */
  close(): Promise<void>;
}

/**
 * Finds the embedded server that another process of this machine runs in a data directory, by the file in which it notes its
 * socket; null if none is ready. Only the owner of the cluster's folder, or root, can reach the socket.
 */
export async function findRunningPostgres(dataDir: string): Promise<RunningPostgres | null> {
  const dir = join(resolve(dataDir), "postgres");
  const state = await readPidFile(dir);
  if (state.kind !== "present" || state.file.status !== "ready") return null;
  const { socketDir } = state.file;
  const isElsewhere = socketDir.startsWith("/") && socketDir !== dir;
  const socket = isElsewhere ? null : await openSocketFolder({ dir, owner: undefined });
  const host = socket?.clientsName ?? socketDir;
  return {
    poolConfig: { host, port: CLUSTER_PORT, user: CLUSTER_USER, database: CLUSTER_DATABASE, ssl: false },
    close: () => socket?.close() ?? Promise.resolve(),
  };
}
