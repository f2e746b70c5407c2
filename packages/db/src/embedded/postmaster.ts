import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { poll } from "../poll.ts";
import { PROGRAM_ENVIRONMENT } from "../run-program.ts";
import { CLUSTER_PORT, type Cluster, ownPathOfCluster } from "./cluster.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { endLeftoverProcesses } from "./leftover-processes.ts";
import { startLifeline } from "./lifeline.ts";
import { pidFilePath, readPidFile } from "./pid-file.ts";
import { readServerLog } from "./server-log.ts";
import { serverArguments, type ServerSettings } from "./server-settings.ts";

/** A running server of a cluster that accepts connections. */
export interface Postmaster {
  readonly pid: number;
  /** Resolves with a description of how the server ended; never rejects. */
  readonly ended: Promise<string>;
  /** Shuts down the server gracefully and resolves once it has ended. Idempotent. */
  stop(): Promise<void>;
}

export interface PostmasterOptions {
  readonly settings: ServerSettings;
  /** The folder for the socket, as a path that the server can use. */
  readonly socketDir: string;
  /** Whether to shut down the server if this process ends without doing so. */
  readonly endsWithService: boolean;
  /** Aborts a start that is still in progress. */
  readonly signal: AbortSignal;
}

/** Recovery after a crash takes a while on a slow disk; giving up early would not help. */
const START_TIMEOUT_MS = 120_000;
/** Together with closing the pool (up to three seconds), less than the ten seconds in which the service promises to stop. */
const FAST_STOP_TIMEOUT_MS = 4000;
const IMMEDIATE_STOP_TIMEOUT_MS = 1500;

/**
 * Starts the server of a cluster, after ending the processes that an earlier one has left running, and resolves once it accepts
 * connections. The caller holds the instance lock and does not call this again before the server has ended.
 *
 * Throws {@link EmbeddedPostgresError}, with the server's output, if it does not start; then nothing is left running.
 */
export async function startPostmaster(cluster: Cluster, options: PostmasterOptions): Promise<Postmaster> {
  options.signal.throwIfAborted();
  await endLeftoverProcesses(cluster);
  const stalePid = await clearStaleLocks(cluster.dir);
  const { postmaster, logTail } = await spawnPostmaster(cluster, options, stalePid);
  let endedAs: string | undefined;
  void postmaster.ended.then((description) => (endedAs = description));
  const hasSettled = async (): Promise<boolean> =>
    endedAs !== undefined || options.signal.aborted || (await isReady(cluster.dir, postmaster.pid));
  await poll(hasSettled, { timeoutMs: START_TIMEOUT_MS, intervalMs: 5 });
  if (endedAs === undefined && (await isReady(cluster.dir, postmaster.pid))) return postmaster;
  await postmaster.stop();
  options.signal.throwIfAborted();
  const problem = endedAs ?? `it was not ready after ${START_TIMEOUT_MS / 1000} s`;
  throw new EmbeddedPostgresError(`PostgreSQL did not start: ${problem}.\n${logTail()}`);
}

/**
 * Removes files that would make PostgreSQL refuse to start although no server is running, and returns the process id in its lock
 * file. The lock file itself is kept if it can be read: it also identifies the shared memory with which PostgreSQL itself checks
 * that no process of an earlier server is left.
 */
async function clearStaleLocks(clusterDir: string): Promise<number | undefined> {
  await rm(join(clusterDir, `.s.PGSQL.${CLUSTER_PORT}`), { force: true });
  await rm(join(clusterDir, `.s.PGSQL.${CLUSTER_PORT}.lock`), { force: true });
  const lock = await readPidFile(clusterDir);
  if (lock.kind === "unreadable") await rm(pidFilePath(clusterDir), { force: true });
  return lock.kind === "present" ? lock.file.pid : undefined;
}

async function spawnPostmaster(cluster: Cluster, options: PostmasterOptions, stalePid: number | undefined) {
  const { dir, owner, binDir, log, majorVersion } = cluster;
  const settings = { ...options.settings, unix_socket_directories: options.socketDir };
  const child = spawn(
    join(binDir, "postgres"),
    ["-D", ownPathOfCluster(dir), ...serverArguments(settings, majorVersion)],
    {
      ...owner,
      cwd: dir,
      env: {
        ...PROGRAM_ENVIRONMENT,
        // PostgreSQL considers a lock file stale if it contains the process id of its grandparent. The id in a lock file of an earlier
        // server may now belong to any other program, which must not prevent this server from starting.
        ...(stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) }),
      },
      stdio: ["ignore", "ignore", "pipe"],
      // In its own process group, so that a Ctrl-C in the terminal only reaches the service, which stops the server last.
      detached: true,
    },
  );
  const ended = new Promise<string>((resolve) => {
    child.on("exit", (code, signal) =>
      resolve(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`),
    );
  });
  const serverLog = readServerLog(child.stderr, log);
  const pid = await new Promise<number>((resolve, reject) => {
    child.on("error", (cause) =>
      reject(new EmbeddedPostgresError(`PostgreSQL did not start: ${cause.message}`, { cause })),
    );
    child.on("spawn", () => resolve(child.pid ?? 0));
  });
  const lifeline = options.endsWithService ? startLifeline('kill -INT "$1"', [String(pid)], { owner, log }) : undefined;
  void ended.then(() => lifeline?.cut());
  const signal = (name: NodeJS.Signals): boolean => child.kill(name);
  let stopping: Promise<void> | undefined;
  const postmaster: Postmaster = { pid, ended, stop: () => (stopping ??= stopProcess(ended, signal, cluster)) };
  return { postmaster, logTail: serverLog.tail };
}

async function isReady(clusterDir: string, pid: number): Promise<boolean> {
  const lock = await readPidFile(clusterDir);
  return lock.kind === "present" && lock.file.pid === pid && lock.file.status === "ready";
}

async function stopProcess(
  ended: Promise<string>,
  signal: (name: NodeJS.Signals) => boolean,
  cluster: Cluster,
): Promise<void> {
  // SIGINT ends all sessions and writes a checkpoint; SIGQUIT leaves recovery to the next start.
  signal("SIGINT");
  if (await endsWithin(ended, FAST_STOP_TIMEOUT_MS)) return;
  cluster.log.warn(
    { dir: cluster.dir },
    "PostgreSQL did not shut down in time; ending it immediately, its next start will recover",
  );
  signal("SIGQUIT");
  if (await endsWithin(ended, IMMEDIATE_STOP_TIMEOUT_MS)) return;
  signal("SIGKILL");
  await ended;
}

async function endsWithin(ended: Promise<string>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([ended.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
