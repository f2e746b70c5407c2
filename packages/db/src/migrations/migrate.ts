import type { Client, ClientConfig } from "pg";
import type { Log } from "../log.ts";
import { defaultMigrationsDir } from "../package-files.ts";
import { SessionClient } from "../session-client.ts";
import { errorCode, errorMessage } from "../system-error.ts";
import { MigrationError } from "./migration-error.ts";
import { type Migration, readMigrationFolder } from "./migration-folder.ts";
import { findPendingMigrations, type MigrationRecord } from "./pending-migrations.ts";
import { findTransactionControl } from "./transaction-control.ts";

export interface MigrateOptions {
  readonly log: Log;
  /** The committed migrations of this package by default. */
  readonly migrationsDir?: string;
  /** Applies these migrations only: those that another database has. Throws if one of them is not in the folder. */
  readonly only?: ReadonlySet<string>;
}

/** The advisory lock that Prisma's own tools take for migrations, so that they are kept out as well. */
const PRISMA_MIGRATION_LOCK = 72_707_369;

/** The table as Prisma's own tools create it, so that they can continue where this has stopped, and vice versa. */
const CREATE_RECORDS = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Brings a database's schema up to date, and returns the names of the migrations that it has applied.
 *
 * Idempotent; with nothing to do it costs one query. Any number of processes may call it at once: one applies, the others wait for
 * it. Every migration is applied and recorded in one transaction, so a failure, or a process killed halfway, leaves the database
 * as it was before that migration. Throws {@link MigrationError} if a migration fails or the database's history does not match the
 * folder, and pg's error if the database cannot be reached.
 */
export async function migrate(
  config: ClientConfig,
  { log, migrationsDir = defaultMigrationsDir(), only }: MigrateOptions,
): Promise<string[]> {
  const migrations = select((await readMigrationFolder(migrationsDir)).migrations, only);
  const client = new SessionClient({ connectionTimeoutMillis: 5000, ...config });
  client.on("error", () => {});
  try {
    await client.connect();
    if (findPendingMigrations(migrations, await readRecords(client)).length === 0) return [];
    await lockMigrations(client);
    // Another process may have applied them while this one waited.
    const pending = findPendingMigrations(migrations, await readRecords(client));
    for (const migration of pending) await apply(client, migration, log);
    return pending.map(({ name }) => name);
  } finally {
    // This also releases the lock.
    await client.end();
  }
}

function select(migrations: readonly Migration[], only: ReadonlySet<string> | undefined): readonly Migration[] {
  if (only === undefined) return migrations;
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...only].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new MigrationError(`This version lacks the migrations ${unknown.join(", ")}. Use the version that has them.`);
  }
  return migrations.filter(({ name }) => only.has(name));
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

async function apply(client: Client, { name, sql, checksum }: Migration, log: Log): Promise<void> {
  const control = findTransactionControl(sql);
  if (control !== undefined) {
    throw new MigrationError(`The migration ${name} contains transaction control (${control}) and was not applied.`);
  }
  const startedAt = performance.now();
  try {
    await client.query("BEGIN");
    await client.query(CREATE_RECORDS);
    // The whole script is sent in one message, which PostgreSQL splits by its own rules.
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       VALUES (gen_random_uuid(), $1, clock_timestamp(), $2, 1)`,
      [checksum, name],
    );
    await client.query("COMMIT");
  } catch (cause) {
    // Only fails if the connection is lost, and the transaction with it.
    await client.query("ROLLBACK").catch(() => {});
    throw new MigrationError(
      `The migration ${name} failed, and the database is as it was before: ${errorMessage(cause)}`,
      { cause },
    );
  }
  log.info({ migration: name, durationMs: Math.round(performance.now() - startedAt) }, "migrated the database");
}
