import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { type ProcessOwner, runProgram } from "../run-program.ts";
import { errorCode } from "../system-error.ts";
import { CLUSTER_PORT, CLUSTER_USER } from "./cluster.ts";
import { readPidFile } from "./pid-file.ts";

/** A live PostgreSQL process that works on a particular cluster. */
export interface ClusterProcess {
  readonly pid: number;
  /** The server itself, which a signal asks to shut down, as opposed to the processes that it has started. */
  readonly isPostmaster: boolean;
}

/** The PostgreSQL processes that work on the cluster in `dir`, whoever started them. Never names a foreign process. */
export type FindClusterProcesses = (dir: string, owner: ProcessOwner | undefined) => Promise<ClusterProcess[]>;

/**
 * Prints the process numbers whose working directory is this one, by device and inode. It runs as the cluster's owner,
 * as even root may not look at another user's processes inside a container.
 */
const LIST_NEIGHBOURS = 'for p in /proc/[0-9]*; do [ "$p/cwd" -ef . ] && echo "${p#/proc/}"; done; :';

/**
 * Every process of PostgreSQL has the cluster's folder as its working directory, which cannot be mistaken as a process
 * number in a file can: that number may be stale, reused or damaged.
 */
export const findClusterProcessesByFolder: FindClusterProcesses = async (dir, owner) => {
  const { stdout } = await runProgram("/bin/sh", ["-c", LIST_NEIGHBOURS], { cwd: dir, owner });
  const pids = stdout.split("\n").filter(Boolean).map(Number);
  const candidates = await Promise.all(pids.map(describeProcess));
  return candidates.filter((candidate) => candidate !== undefined);
};

/** Undefined when the process is not PostgreSQL's, such as a shell that somebody has opened there, or has ended. */
async function describeProcess(pid: number): Promise<ClusterProcess | undefined> {
  try {
    const [name, title] = await Promise.all([
      readFile(`/proc/${pid}/comm`, "utf8"),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    if (name.trim() !== "postgres") return undefined;
    // The processes that the server starts rename themselves, to `postgres: checkpointer` and the like.
    return { pid, isPostmaster: !title.startsWith("postgres: ") };
  } catch {
    return undefined;
  }
}

/**
 * Without /proc (macOS): the server that answers on the cluster's own socket is the cluster's, and can tell its number.
 * A server that still starts is asked again by the caller; one that stops no longer answers, and PostgreSQL's own check
 * of its shared memory then keeps a second one from starting.
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
