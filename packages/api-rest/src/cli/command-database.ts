import { assertNoRestore, assertNotLeft } from "@workspace/backup";
import {
  awaitServer,
  createDb,
  DataDirInUseError,
  externalDatabase,
  findRunningPostgres,
  migrate,
  startEmbeddedPostgres,
  type Db,
  type PoolConfig,
} from "@workspace/db";
import { assertEmbeddedWorkspace } from "../embedded-workspace.ts";
import type { CommandContext } from "./command.ts";

/** The database of a workspace, for a command. */
export interface CommandDatabase {
  readonly config: PoolConfig;
  readonly kind: "embedded" | "external";
  /** Whether the service was running; null for an external database, which does not show it. */
  readonly isServiceRunning: boolean | null;
  /** Ends what was started for the command. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens the database of an existing workspace: through the running service's server, or by starting the embedded one. Tells which
 * data folder it is. Throws {@link StartError} if there is no workspace.
 */
export async function openCommandDatabase(context: CommandContext): Promise<CommandDatabase> {
  const { config, tell } = context;
  await assertNoRestore(config.dataDir);
  const database = await open(context);
  tell(`Data folder: ${config.dataDir} (${describe(database)})`);
  return database;
}

function describe({ kind, isServiceRunning }: CommandDatabase): string {
  if (kind === "external") return "external database";
  return `embedded database, ${isServiceRunning === true ? "the service is running" : "the service is stopped"}`;
}

async function open({ config, logger, tell }: CommandContext): Promise<CommandDatabase> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== null) {
    const external = externalDatabase(databaseUrl);
    await awaitServer(external, { onWaiting: tell, timeoutMs: 15_000 });
    await assertNotLeft(external);
    return { config: external, kind: "external", isServiceRunning: null, close: () => Promise.resolve() };
  }
  await assertEmbeddedWorkspace(dataDir);
  try {
    const started = await startEmbeddedPostgres({ dataDir, log: logger });
    return { config: started.poolConfig, kind: "embedded", isServiceRunning: false, close: () => started.close() };
  } catch (error) {
    const running = error instanceof DataDirInUseError ? await findRunningPostgres(dataDir) : null;
    if (running === null) throw error;
    return { config: running.poolConfig, kind: "embedded", isServiceRunning: true, close: () => running.close() };
  }
}

/** Opens the database for a restore, which may create it. */
export async function openTargetDatabase({ config, logger, tell }: CommandContext) {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === null) {
    const started = await startEmbeddedPostgres({ dataDir, log: logger });
    return { config: started.poolConfig, close: () => started.close() };
  }
  const external = externalDatabase(databaseUrl);
  await awaitServer(external, { onWaiting: tell, timeoutMs: 15_000 });
  return { config: external, close: () => Promise.resolve() };
}

/** Runs `use` with a pool on the workspace's database, whose schema is first brought up to date if the service is stopped. */
export async function withDatabase<T>(context: CommandContext, use: (db: Db) => Promise<T>): Promise<T> {
  const database = await openCommandDatabase(context);
  try {
    const { migrationsDir, logger } = context;
    if (database.isServiceRunning !== true) await migrate(database.config, { log: logger, migrationsDir });
    const db = createDb(database.config, { log: logger });
    try {
      return await use(db);
    } finally {
      await db.close();
    }
  } finally {
    await database.close();
  }
}
