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
  /** Resolves with a description of how it ended, whenever it does; never rejects. */
  readonly ended: Promise<string>;
  /** Shuts the server down in order and resolves when it has ended. Idempotent. */
  stop(): Promise<void>;
}

export interface PostmasterOptions {
  readonly settings: ServerSettings;
  /** Where the server puts its socket, in its own words. */
  readonly socketDir: string;
  /** Shut the server down when this process dies without doing it. */
  readonly endsWithService: boolean;
  /** Gives up a start that is still under way. */
  readonly signal: AbortSignal;
}

/** Replaying the log after a crash takes a while on a slow disk; there is no use in giving up on it early. */
const START_TIMEOUT_MS = 120_000;
/** With closing the pool (three seconds at most) still below the ten within which the service promises to have stopped. */
const FAST_STOP_TIMEOUT_MS = 4000;
const IMMEDIATE_STOP_TIMEOUT_MS = 1500;

/**
 * Starts the server of a cluster, after ending what an earlier one has left running, and resolves when it accepts
 * connections. The caller holds the instance lock and does not call it again before the server has ended.
 *
 * Throws {@link EmbeddedPostgresError}, with what the server said, when it does not come up; nothing then runs.
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
 * Removes what would make PostgreSQL refuse to start although no server runs, and returns the process number in its lock
 * file. The lock file itself stays if it can be read: it also names the shared memory by which PostgreSQL makes sure for
 * itself that no process of an earlier server is left.
 */
async function clearStaleLocks(clusterDir: string): Promise<number | undefined> {
  await rm(join(clusterDir, `.s.PGSQL.${CLUSTER_PORT}`), { force: true });
  await rm(join(clusterDir, `.s.PGSQL.${CLUSTER_PORT}.lock`), { force: true });
  const lock = await readPidFile(clusterDir);
  if (lock.kind === "unreadable") await rm(pidFilePath(clusterDir), { force: true });
  return lock.kind === "present" ? lock.file.pid : undefined;
}

async function spawnPostmaster(cluster: Cluster, options: PostmasterOptions, stalePid: number | undefined) {
  const { dir, owner, binDir, log } = cluster;
  const settings = { ...options.settings, unix_socket_directories: options.socketDir };
  const child = spawn(join(binDir, "postgres"), ["-D", ownPathOfCluster(dir), ...serverArguments(settings)], {
    ...owner,
    cwd: dir,
    env: {
      ...PROGRAM_ENVIRONMENT,
      // PostgreSQL takes a lock file for stale that names its grandparent. The number in a lock file that an earlier
      // server left may have passed on to any other program by now, and must not keep this server from starting.
      ...(stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) }),
    },
    stdio: ["ignore", "ignore", "pipe"],
    // In a group of its own, so that a Ctrl-C on the terminal reaches the service only, which stops this one last.
    detached: true,
  });
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
  // SIGINT ends every session and writes a checkpoint; SIGQUIT leaves that to the next start.
  signal("SIGINT");
  if (await endsWithin(ended, FAST_STOP_TIMEOUT_MS)) return;
  cluster.log.warn(
    { dir: cluster.dir },
    "PostgreSQL does not shut down in time; ending it at once, its next start will recover",
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
