import { join, resolve } from "node:path";
import { Client, type ClientConfig, escapeIdentifier } from "pg";
import { type InstanceLock, lockDataDir } from "../instance-lock.ts";
import type { Log } from "../log.ts";
import { errorCode } from "../system-error.ts";
import { CLUSTER_DATABASE, CLUSTER_FOLDER, CLUSTER_PORT, CLUSTER_USER, type Cluster } from "./cluster.ts";
import { ensureClusterFiles } from "./cluster-files.ts";
import { chooseClusterOwner } from "./cluster-owner.ts";
import { assertNotMoved } from "./moved-database.ts";
import { findPostgresBinaries } from "./postgres-binaries.ts";
import { finishReplacement } from "./cluster-replacement.ts";
import { startPostmaster } from "./postmaster.ts";
import { DEFAULT_BINARIES_ROOT, makeBinariesReachable } from "./reachable-binaries.ts";
import type { ServerSettings } from "./server-settings.ts";
import { openSocketFolder } from "./socket-folder.ts";
import { type StateListener, supervise } from "./supervisor.ts";

export interface EmbeddedPostgresOptions {
  /** The service's data directory, created for this user only if it is missing. The cluster is in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: Log;
  /** Settings that override the defaults, for data that may be lost. */
  readonly settings?: ServerSettings;
  /**
   * Whether the server shuts down when this process is killed. Defaults to true; if that fails, the next start on the same data
   * directory stops the orphaned server.
   */
  readonly endsWithService?: boolean;
  /** Where to put copies of PostgreSQL's programs; only needed if root runs the service from an inaccessible folder. */
  readonly binariesRoot?: string;
  /** The lock of the data directory, if the caller holds it already; it is then not released here. */
  readonly lock?: InstanceLock;
  /** The programs to run: those of the service, or of the major version before, to read what is brought over. */
  readonly programs?: "current" | "previous";
  /** Aborts a start that is still in progress. */
  readonly signal?: AbortSignal;
}

/** How clients connect to the embedded server. Complete, so that no PG… environment variable has any effect. */
export interface EmbeddedPoolConfig {
  /** The folder of the Unix socket; other processes can use it too, as long as this one is running. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly ssl: false;
}

/** The service's own PostgreSQL server, kept running until closed. */
export interface EmbeddedPostgres {
  /** For pools of the service's database. Stays the same when the server is restarted. */
  readonly poolConfig: EmbeddedPoolConfig;
  /** The process id of the server; undefined while there is none. */
  readonly pid: number | undefined;
  /** Calls the listener after every change of state; returns a function that unsubscribes it. */
  onStateChange(listener: StateListener): () => void;
  /** Shuts down the server and releases the data directory. Idempotent. Close all pools first. */
  close(): Promise<void>;
}

/**
 * Starts the PostgreSQL server of a data directory, creating its cluster and database the first time, and keeps it
 * running: if it exits on its own, it is restarted, and pools recover automatically.
 *
 * Of concurrent calls for one data directory one succeeds, and the others throw `DataDirInUseError`, as does every call while a
 * running service uses it. Processes and lock files left behind by killed services are removed.
 * Throws `EmbeddedPostgresError` if the server cannot be set up or does not start, or if the database was moved to another one; then
 * nothing is left running.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  options.signal?.throwIfAborted();
  const ownLock = options.lock === undefined ? await lockDataDir(dataDir) : undefined;
  const release = async (): Promise<void> => ownLock?.release();
  try {
    return await startLocked(dataDir, options, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function startLocked(
  dataDir: string,
  options: EmbeddedPostgresOptions,
  release: () => Promise<void>,
): Promise<EmbeddedPostgres> {
  const { log, settings = {}, endsWithService = true, signal: abortSignal } = options;
  const cluster = await prepareCluster(dataDir, options);
  const socket = await openSocketFolder(cluster);
  const start = (signal: AbortSignal) =>
    startPostmaster(cluster, { settings, socketDir: socket.serversName, endsWithService, signal });
  const supervisor = await supervise(start, { log, ...(abortSignal && { abortSignal }) }).catch(
    async (error: unknown) => {
      await socket.close();
      throw error;
    },
  );
  const stop = async (): Promise<void> => {
    await supervisor.close();
    await socket.close();
  };
  const poolConfig = clientConfig(socket.clientsName, CLUSTER_DATABASE);
  try {
    await ensureDatabase(socket.clientsName);
  } catch (error) {
    await stop();
    throw error;
  }
  const close = async (): Promise<void> => {
    await stop();
    await release();
  };
  let closed: Promise<void> | undefined;
  return {
    poolConfig,
    get pid() {
      return supervisor.pid;
    },
    onStateChange: (listener) => supervisor.onStateChange(listener),
    close: () => (closed ??= close()),
  };
}

async function prepareCluster(dataDir: string, options: EmbeddedPostgresOptions): Promise<Cluster> {
  const { log, binariesRoot = DEFAULT_BINARIES_ROOT, settings } = options;
  const dir = join(dataDir, CLUSTER_FOLDER);
  await finishReplacement(dataDir, log);
  await assertNotMoved(dataDir);
  const owner = await chooseClusterOwner(dir, log);
  const binaries = await findPostgresBinaries(options.programs);
  const binDir = await makeBinariesReachable(binaries, owner, { log, root: binariesRoot });
  const cluster: Cluster = { dir, owner, binDir, majorVersion: binaries.majorVersion, log };
  await ensureClusterFiles(cluster, { isDurable: settings?.["fsync"] !== "off" });
  return cluster;
}

function clientConfig(host: string, database: string): EmbeddedPoolConfig {
  return { host, port: CLUSTER_PORT, user: CLUSTER_USER, database, ssl: false };
}

/** Separate from creating the cluster, because a start may be killed between the two. Idempotent. */
async function ensureDatabase(host: string): Promise<void> {
  try {
    await withClient(clientConfig(host, CLUSTER_DATABASE), () => Promise.resolve());
  } catch (error) {
    if (errorCode(error) !== "3D000") throw error;
    const name = escapeIdentifier(CLUSTER_DATABASE);
    await withClient(clientConfig(host, "postgres"), (client) => client.query(`CREATE DATABASE ${name}`));
  }
}

async function withClient(config: ClientConfig, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(config);
  // Without a listener, a broken connection would end the whole process; the query in progress rejects anyway.
  client.on("error", () => {});
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}
