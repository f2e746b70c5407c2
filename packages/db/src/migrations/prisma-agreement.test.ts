import { Client, type ClientConfig } from "pg";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { expect, it } from "vitest";
import { query } from "../embedded/test-kit/queries.ts";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import { createEmptyDatabase } from "./empty-database.fixture.ts";
import { createEngineAdapterFactory } from "./engine-adapter.ts";
import { migrate } from "./migrate.ts";
import { readMigrationFolder } from "./migration-folder.ts";
import { newMigrationsDir, putMigrations } from "./migrations-dir.fixture.ts";
import { NO_FILTERS, toMigrationList, withSchemaEngine } from "./schema-engine.ts";

const FIRST = { "20260101000000_first": "CREATE TABLE notes (id int PRIMARY KEY);" };
const SECOND = { "20260102000000_second": "ALTER TABLE notes ADD COLUMN body text;" };

/** Applies a folder to a database with Prisma's own engine, as `prisma migrate deploy` does. */
async function applyWithPrisma(database: ClientConfig, dir: string): Promise<string[]> {
  const folder = await readMigrationFolder(dir);
  const migrationsList = toMigrationList(folder, folder.migrations);
  const apply = (engine: SchemaEngine) => engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
  const client = new Client(database);
  await client.connect();
  try {
    return (await withSchemaEngine(createEngineAdapterFactory(client), apply)).appliedMigrationNames;
  } finally {
    await client.end();
  }
}

/** The parts that must be equal in all databases: names, types, defaults and values of the columns. */
async function readRecords(database: ClientConfig) {
  const columns = await query(
    database,
    `SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
       FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
  );
  const records = await query(
    database,
    `SELECT migration_name, checksum, length(id) AS id_length, finished_at >= started_at AS is_finished, logs,
            rolled_back_at, applied_steps_count
       FROM _prisma_migrations ORDER BY migration_name`,
  );
  return { columns, records };
}

it("records the same as Prisma's own engine", async () => {
  const migrationsDir = await newMigrationsDir({ ...FIRST, ...SECOND });
  const [ours, prismas] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  await migrate(ours, { log: SILENT_LOG, migrationsDir });
  await applyWithPrisma(prismas, migrationsDir);
  expect(await readRecords(ours)).toEqual(await readRecords(prismas));
});

it("Prisma's own engine continues where this has stopped, and vice versa", async () => {
  const migrationsDir = await newMigrationsDir(FIRST);
  const database = await createEmptyDatabase();
  expect(await migrate(database, { log: SILENT_LOG, migrationsDir })).toHaveLength(1);
  await putMigrations(migrationsDir, SECOND);
  expect(await applyWithPrisma(database, migrationsDir)).toEqual(["20260102000000_second"]);
  await putMigrations(migrationsDir, { "20260103000000_third": "DROP TABLE notes;" });
  expect(await migrate(database, { log: SILENT_LOG, migrationsDir })).toEqual(["20260103000000_third"]);
  expect(await applyWithPrisma(database, migrationsDir)).toEqual([]);
});
