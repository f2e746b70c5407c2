import { randomUUID } from "node:crypto";
import { assertNoRestore, assertNotLeft, upgradeDatabase } from "@workspace/backup";
import {
  awaitServer,
  createDb,
  createListener,
  externalDatabase,
  lockDataDir,
  migrate,
  startEmbeddedPostgres,
  type Db,
  type Listener,
  type PoolConfig,
} from "@workspace/db";
import type { Logger } from "@workspace/core";
import { hasLeftCluster, LEFT_CLUSTER_REMEDY } from "./embedded-workspace.ts";

/** The database as the server uses it: migrated, and with the data directory locked by this process. */
export interface OpenDatabase {
  readonly db: Db;
  readonly listener: Listener;
  /** For other processes of the service. */
  readonly poolConfig: PoolConfig;
  readonly deployment: "embedded" | "external";
  /** Idempotent. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly dataDir: string;
  /** An external server; null for the embedded one. */
  readonly databaseUrl: string | null;
  readonly migrationsDir: string;
  readonly logger: Logger;
  /** Called with a sentence for the user if an external server is not available yet, or if the embedded one is brought to a newer PostgreSQL first. */
  readonly onWaiting: (message: string) => void;
}

type Closable = () => Promise<void>;

/**
 * Opens and migrates the database; waits up to a minute for an external one, and brings the embedded one to the service's major
 * version of PostgreSQL. Throws `DataDirInUseError` if another service uses the data directory, `DatabaseServerError` if the server
 * cannot be used, and `EmbeddedPostgresError` or `BackupError` if the workspace was moved from the embedded or the external database;
 * if it fails, everything that was already opened is closed.
 */
export async function openDatabase({
  dataDir,
  databaseUrl,
  migrationsDir,
  logger,
  onWaiting,
}: DatabaseOptions): Promise<OpenDatabase> {
  const opened: Closable[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.splice(0).toReversed()) await close();
  };
  try {
    const server = await openServer();
    // With the data directory locked, so that no restore can begin now.
    await assertNoRestore(dataDir);
    // A unique name, by which other processes can end this one's sessions once its lease has expired.
    const poolConfig = { ...server, application_name: `workspace ${randomUUID()}` };
    const db = createDb(poolConfig, { log: logger });
    opened.push(() => db.close());
    await migrate(poolConfig, { migrationsDir, log: logger });
    const listener = createListener(poolConfig, { log: logger });
    opened.push(() => listener.close());
    return {
      db,
      listener,
      poolConfig: server,
      deployment: databaseUrl === null ? "embedded" : "external",
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }

  async function openServer() {
    if (databaseUrl === null) {
      await upgradeDatabase({ dataDir, migrationsDir, log: logger, tell: onWaiting });
      const postgres = await startEmbeddedPostgres({ dataDir, log: logger });
      opened.push(() => postgres.close());
      return postgres.poolConfig;
    }
    const lock = await lockDataDir(dataDir);
    opened.push(() => lock.release());
    const server = externalDatabase(databaseUrl);
    await awaitServer(server, { onWaiting });
    await assertNotLeft(server);
    if (await hasLeftCluster(dataDir)) {
      logger.warn(
        { dataDir },
        `The data folder has an embedded database too, which is not used. ${LEFT_CLUSTER_REMEDY}`,
      );
    }
    return server;
  }
}
