import { type EmbeddedPoolConfig, startEmbeddedPostgres } from "../embedded/embedded-postgres.ts";
import type { Log } from "../log.ts";
import { migrate } from "../migrations/migrate.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** The address of a test cluster's template database; plain data, so that it can be passed to test processes. */
export type TestClusterAddress = EmbeddedPoolConfig;

/** A server for one test run, with a migrated template for the tests' databases. */
export interface TestCluster {
  readonly address: TestClusterAddress;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface TestClusterOptions {
  readonly log?: Log;
  /** False leaves the template empty. */
  readonly migrates?: boolean;
}

/** Nothing here has to outlive the run, and every test file has its own pool. */
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  min_wal_size: "32MB",
  max_wal_size: "128MB",
} as const;

export const SILENT_LOG: Log = { info() {}, warn() {}, error() {} };

/**
 * Starts a server in a temporary folder and migrates its template database, in about a second. If this process ends without closing
 * it (Ctrl-C, `kill -9`), server and folder are removed all the same.
 */
export async function startTestCluster({
  log = SILENT_LOG,
  migrates = true,
}: TestClusterOptions = {}): Promise<TestCluster> {
  const folder = await createTemporaryFolder(log);
  try {
    const embedded = await startEmbeddedPostgres({ dataDir: folder.path, log, settings: SETTINGS });
    const close = async (): Promise<void> => {
      await embedded.close();
      await folder.remove();
    };
    try {
      if (migrates) await migrate(embedded.poolConfig, { log });
    } catch (error) {
      await embedded.close();
      throw error;
    }
    let closed: Promise<void> | undefined;
    return { address: embedded.poolConfig, close: () => (closed ??= close()) };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
