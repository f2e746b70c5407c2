import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { type ProcessOwner, runProgram } from "../run-program.ts";
import { errorCode } from "../system-error.ts";
import { CLUSTER_PORT, CLUSTER_USER } from "./cluster.ts";
import { readPidFile } from "./pid-file.ts";

/** A running PostgreSQL process of a particular cluster. */
export interface ClusterProcess {
  readonly pid: number;
  /** Whether it is the server itself, which a signal can shut down, rather than one of its child processes. */
  readonly isPostmaster: boolean;
}

/** The PostgreSQL processes that use the cluster in `dir`, however they were started. Never includes an unrelated process. */
export type FindClusterProcesses = (dir: string, owner: ProcessOwner | undefined) => Promise<ClusterProcess[]>;

/**
 * Prints the ids of processes whose working directory is this one, by device and inode. It runs as the cluster's owner, because
 * in a container even root may not inspect another user's processes.
 */
const LIST_NEIGHBOURS = 'for p in /proc/[0-9]*; do [ "$p/cwd" -ef . ] && echo "${p#/proc/}"; done; :';

/**
 * All PostgreSQL processes have the cluster's folder as their working directory, which is reliable, unlike the process id in a
 * file: that may be stale, reused or corrupt.
 */
export const findClusterProcessesByFolder: FindClusterProcesses = async (dir, owner) => {
  const { stdout } = await runProgram("/bin/sh", ["-c", LIST_NEIGHBOURS], { cwd: dir, owner });
  const pids = stdout.split("\n").filter(Boolean).map(Number);
  const candidates = await Promise.all(pids.map(describeProcess));
  return candidates.filter((candidate) => candidate !== undefined);
};

/** Undefined if the process is not PostgreSQL, such as a shell that someone has opened there, or has ended. */
async function describeProcess(pid: number): Promise<ClusterProcess | undefined> {
  try {
    const [name, title] = await Promise.all([
      readFile(`/proc/${pid}/comm`, "utf8"),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    if (name.trim() !== "postgres") return undefined;
    // The server's child processes rename themselves, to `postgres: checkpointer` and the like.
    return { pid, isPostmaster: !title.startsWith("postgres: ") };
  } catch {
    return undefined;
  }
}

/**
 * Without /proc (macOS): the server that responds on the cluster's socket belongs to the cluster and can report its process id.
 * The caller retries while a server is still starting; one that is stopping no longer responds, but PostgreSQL's own check of its
 * shared memory prevents a second one from starting.
 */
export const findClusterProcessesBySocket: FindClusterProcesses = async (dir) => {
  const state = await readPidFile(dir);
  if (state.kind !== "present") return [];
  const client = new Client({
    host: state.file.socketDir,
    port: CLUSTER_PORT,
    user: CLUSTER_USER,
    database: "postgres",
    ssl: false,
    connectionTimeoutMillis: 2000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: string }>(
      "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid",
    );
    return rows.map(({ pid }) => ({ pid: Number(pid), isPostmaster: true }));
  } catch (error) {
    const isStartingOrStopping = errorCode(error) === "57P03";
    return isStartingOrStopping ? [{ pid: state.file.pid, isPostmaster: true }] : [];
  } finally {
    await client.end().catch(() => {});
  }
};

export const findClusterProcesses: FindClusterProcesses =
  process.platform === "linux" ? findClusterProcessesByFolder : findClusterProcessesBySocket;
