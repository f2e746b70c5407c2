import { Client, type ClientConfig } from "pg";
import type { Log } from "../log.ts";
import { defaultMigrationsDir } from "../package-files.ts";
import { withSessionOptions } from "../session-options.ts";
import { errorCode, errorMessage } from "../system-error.ts";
import { createEngineAdapterFactory } from "./engine-adapter.ts";
import { MigrationError } from "./migration-error.ts";
import { type Migration, type MigrationFolder, readMigrationFolder } from "./migration-folder.ts";
import { findPendingMigrations, type MigrationRecord } from "./pending-migrations.ts";
import { NO_FILTERS, toMigrationList, withSchemaEngine } from "./schema-engine.ts";

export interface MigrateOptions {
  readonly log: Log;
  /** The committed migrations of this package, unless named. */
  readonly migrationsDir?: string;
}

/** The advisory lock that Prisma's own tools take to migrate, so these too are kept out. */
const PRISMA_MIGRATION_LOCK = 72_707_369;

/**
 * Brings a database's schema up to date, and returns the names of the migrations that it has applied now.
 *
 * Idempotent; with nothing to do it costs one query. Any number of processes may call it at once: one applies, the others
 * wait for it. Every migration is applied and recorded in one transaction, so a failure, or a process killed half-way,
 * leaves the database as it was before that migration. Throws {@link MigrationError} when a migration fails or the
 * database's history does not fit the folder, and pg's error when the database cannot be reached.
 */
export async function migrate(
  config: ClientConfig,
  { log, migrationsDir = defaultMigrationsDir() }: MigrateOptions,
): Promise<string[]> {
  const folder = await readMigrationFolder(migrationsDir);
  const client = new Client({ connectionTimeoutMillis: 5000, ...withSessionOptions(config) });
  client.on("error", () => {});
  try {
    await client.connect();
    if (findPendingMigrations(folder.migrations, await readRecords(client)).length === 0) return [];
    await lockMigrations(client);
    // Another process may have applied them while this one waited.
    const pending = findPendingMigrations(folder.migrations, await readRecords(client));
    return pending.length === 0 ? [] : await applyAll(client, folder, { pending, log });
  } finally {
    // Lets go of the lock as well.
    await client.end();
  }
}

async function readRecords(client: Client): Promise<MigrationRecord[]> {
  try {
    const { rows } = await client.query<MigrationRecord>(
      `SELECT migration_name AS "name", checksum, finished_at IS NOT NULL AS "isFinished",
              rolled_back_at IS NOT NULL AS "isRolledBack"
         FROM _prisma_migrations`,
    );
    return rows;
  } catch (error) {
    const isNewDatabase = errorCode(error) === "42P01";
    if (isNewDatabase) return [];
    throw error;
  }
}

async function lockMigrations(client: Client): Promise<void> {
  try {
    await client.query("SET lock_timeout = '5min'");
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_MIGRATION_LOCK]);
    await client.query("RESET lock_timeout");
  } catch (cause) {
    if (errorCode(cause) !== "55P03") throw cause;
    throw new MigrationError("Another process has been migrating this database for five minutes.", { cause });
  }
}

async function applyAll(
  client: Client,
  folder: MigrationFolder,
  { pending, log }: { pending: readonly Migration[]; log: Log },
): Promise<string[]> {
  let scriptError: unknown;
  const factory = createEngineAdapterFactory(client, (error) => {
    scriptError = error;
  });
  return withSchemaEngine(factory, async (engine) => {
    for (const migration of pending) {
      const startedAt = performance.now();
      try {
        // The engine applies what is pending in the list that it is given, so it gets everything up to this migration.
        const upToThis = folder.migrations.slice(0, folder.migrations.indexOf(migration) + 1);
        const input = { migrationsList: toMigrationList(folder, upToThis), filters: NO_FILTERS };
        await inTransaction(client, () => engine.applyMigrations(input));
      } catch (engineError) {
        const cause = scriptError ?? engineError;
        const reason = `The migration ${migration.name} failed, and the database is as it was before:`;
        throw new MigrationError(`${reason} ${errorMessage(cause)}`, { cause });
      }
      const durationMs = Math.round(performance.now() - startedAt);
      log.info({ migration: migration.name, durationMs }, "migrated the database");
    }
    return pending.map(({ name }) => name);
  });
}

async function inTransaction(client: Client, run: () => Promise<unknown>): Promise<void> {
  await client.query("BEGIN");
  try {
    await run();
    await client.query("COMMIT");
  } catch (error) {
    // Fails only on a connection that is lost, and with it the transaction.
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
