import { join, resolve } from "node:path";
import { Client, type ClientConfig, escapeIdentifier } from "pg";
import { lockDataDir } from "../instance-lock.ts";
import type { Log } from "../log.ts";
import { errorCode } from "../system-error.ts";
import { CLUSTER_DATABASE, CLUSTER_PORT, CLUSTER_USER, type Cluster } from "./cluster.ts";
import { ensureClusterFiles } from "./cluster-files.ts";
import { chooseClusterOwner } from "./cluster-owner.ts";
import { findPostgresBinaries } from "./postgres-binaries.ts";
import { startPostmaster } from "./postmaster.ts";
import { DEFAULT_BINARIES_ROOT, makeBinariesReachable } from "./reachable-binaries.ts";
import type { ServerSettings } from "./server-settings.ts";
import { openSocketFolder } from "./socket-folder.ts";
import { type StateListener, supervise } from "./supervisor.ts";

export interface EmbeddedPostgresOptions {
  /** The service's data directory; created, closed to others, when missing. The cluster lives in `postgres` below it. */
  readonly dataDir: string;
  readonly log: Log;
  /** Settings that override the usual ones; for data that may be lost. */
  readonly settings?: ServerSettings;
  /**
   * Whether the server shuts down when this process is killed. True unless told otherwise; if it does not come to that,
   * the next start on the same data directory ends the server that was left behind.
   */
  readonly endsWithService?: boolean;
  /** Where copies of PostgreSQL's programs may be put; needed only when root runs the service from a closed folder. */
  readonly binariesRoot?: string;
  /** Gives up a start that is still under way. */
  readonly signal?: AbortSignal;
}

/** How clients reach the embedded server. Complete, so that no PG… variable of the environment fills a gap. */
export interface EmbeddedPoolConfig {
  /** The folder of the Unix socket; good for other processes too, for as long as this one lives. */
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
  /** The server's process; undefined while there is none. */
  readonly pid: number | undefined;
  /** Calls the listener after every change of state; returns how to stop that. */
  onStateChange(listener: StateListener): () => void;
  /** Stops the server in order and lets go of the data directory. Idempotent. Close all pools before. */
  close(): Promise<void>;
}

/**
 * Starts the PostgreSQL server of a data directory, creating its cluster and database the first time, and keeps it
 * running: when it ends by itself, it is started again, and pools recover without being told.
 *
 * Of simultaneous calls for one data directory one succeeds, and the others throw `DataDirInUseError`, as does every
 * call while a live service uses it. What killed services have left behind, processes and lock files, is cleared.
 * Throws `EmbeddedPostgresError` when the server cannot be set up or does not start; nothing is then left running.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  options.signal?.throwIfAborted();
  const lock = await lockDataDir(dataDir);
  try {
    return await startLocked(dataDir, options, () => lock.release());
  } catch (error) {
    await lock.release();
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
  const dir = join(dataDir, "postgres");
  const owner = await chooseClusterOwner(dir, log);
  const binaries = await findPostgresBinaries();
  const binDir = await makeBinariesReachable(binaries, owner, { log, root: binariesRoot });
  const cluster: Cluster = { dir, owner, binDir, log };
  await ensureClusterFiles(cluster, { isDurable: settings?.["fsync"] !== "off" });
  return cluster;
}

function clientConfig(host: string, database: string): EmbeddedPoolConfig {
  return { host, port: CLUSTER_PORT, user: CLUSTER_USER, database, ssl: false };
}

/** Not part of creating the cluster, as a start may be killed between the two. Idempotent. */
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
  // Without a listener a connection that breaks would end the whole process; the query in progress rejects anyway.
  client.on("error", () => {});
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}
