import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { query } from "../embedded/test-kit/queries.ts";
import { SILENT_LOG } from "../testing/test-cluster.ts";
import { createEmptyDatabase } from "./empty-database.fixture.ts";
import { migrate } from "./migrate.ts";
import { MigrationError } from "./migration-error.ts";
import { newMigrationsDir, putMigrations } from "./migrations-dir.fixture.ts";

const FIRST = { "20260101000000_first": "CREATE TABLE notes (id int PRIMARY KEY);" };
const SECOND = { "20260102000000_second": "ALTER TABLE notes ADD COLUMN body text;" };
const BROKEN = { "20260102000000_second": "CREATE TABLE half_done (id int); SELECT 1 / 0;" };

describe("migrate", () => {
  it("applies pending migrations in order, records them as Prisma does, and does nothing the second time", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({ ...SECOND, ...FIRST });
    const options = { log: SILENT_LOG, migrationsDir };
    expect(await migrate(database, options)).toEqual(["20260101000000_first", "20260102000000_second"]);
    expect(await migrate(database, options)).toEqual([]);
    expect(
      await query(
        database,
        `SELECT migration_name AS name, length(checksum) AS checksum, applied_steps_count AS steps,
                finished_at IS NOT NULL AS finished, logs
           FROM _prisma_migrations ORDER BY started_at`,
      ),
    ).toEqual([
      { name: "20260101000000_first", checksum: 64, steps: 1, finished: true, logs: null },
      { name: "20260102000000_second", checksum: 64, steps: 1, finished: true, logs: null },
    ]);
  });

  it("applies everything once when several processes start at the same time", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({ ...FIRST, ...SECOND });
    const all = Array.from({ length: 4 }, () => migrate(database, { log: SILENT_LOG, migrationsDir }));
    expect((await Promise.all(all)).flat()).toEqual(["20260101000000_first", "20260102000000_second"]);
  });

  it("applies SQL that Prisma cannot express: extensions, partial indexes, triggers with bodies", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({
      ...FIRST,
      "20260103000000_by_hand": `
        CREATE EXTENSION pg_trgm;
        ALTER TABLE notes ADD COLUMN body text NOT NULL DEFAULT '', ADD COLUMN deleted_at timestamptz;
        CREATE INDEX notes_body ON notes USING gin (body gin_trgm_ops) WHERE deleted_at IS NULL;
        CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_notify('notes', NEW.id::text);
          RETURN NEW;
        END;
        $$;
        CREATE TRIGGER notes_announce AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION announce();`,
    });
    await migrate(database, { log: SILENT_LOG, migrationsDir });
    await query(database, "INSERT INTO notes VALUES (1)");
    expect(await query(database, "SELECT tgname AS name FROM pg_trigger")).toEqual([{ name: "notes_announce" }]);
  });

  it("lets a migration use an enum value that an earlier one of the same start has added", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({
      "1_mood": "CREATE TYPE mood AS ENUM ('fine');",
      "2_more": "ALTER TYPE mood ADD VALUE 'great';",
      "3_used": "CREATE TABLE moods (mood mood DEFAULT 'great');",
    });
    expect(await migrate(database, { log: SILENT_LOG, migrationsDir })).toHaveLength(3);
  });
});

describe("a migration that fails", () => {
  it("is reported with PostgreSQL's reason, leaves the database as it was, and may be corrected", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({ ...FIRST, ...BROKEN });
    const options = { log: SILENT_LOG, migrationsDir };
    const failed = migrate(database, options);
    await expect(failed).rejects.toThrow(MigrationError);
    await expect(failed).rejects.toThrow(/20260102000000_second failed.*division by zero$/);
    expect(await query(database, "SELECT to_regclass('half_done') AS name")).toEqual([{ name: null }]);

    await putMigrations(migrationsDir, SECOND);
    expect(await migrate(database, options)).toEqual(["20260102000000_second"]);
  });

  it("leaves the database as it was if its process is killed halfway, and is simply applied by the next", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({
      ...FIRST,
      "2_dies": "SELECT pg_terminate_backend(pg_backend_pid());",
    });
    const options = { log: SILENT_LOG, migrationsDir };
    await expect(migrate(database, options)).rejects.toThrow(/2_dies failed/);
    await putMigrations(migrationsDir, { "2_dies": "SELECT 1;" });
    expect(await migrate(database, options)).toEqual(["2_dies"]);
  });
});

describe("a migration that cannot be applied in a transaction", () => {
  it.each([
    ["an index that is built concurrently", "CREATE INDEX CONCURRENTLY notes_id ON notes (id);", /cannot run inside/],
    [
      "a transaction of its own",
      "CREATE TABLE half_done (id int); COMMIT; SELECT 1 / 0;",
      /contains transaction control/,
    ],
  ])("is refused: %s", async (_what, sql, reason) => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({ ...FIRST, "2_refused": sql });
    const refused = migrate(database, { log: SILENT_LOG, migrationsDir });
    await expect(refused).rejects.toThrow(MigrationError);
    await expect(refused).rejects.toThrow(reason);
    expect(
      await query(
        database,
        `SELECT to_regclass('half_done') AS half, to_regclass('notes_id') AS index,
                (SELECT array_agg(migration_name::text) FROM _prisma_migrations) AS applied`,
      ),
    ).toEqual([{ half: null, index: null, applied: ["20260101000000_first"] }]);
  });
});

describe("a history that does not match", () => {
  it("refuses a database of a newer version", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({ ...FIRST, ...SECOND });
    await migrate(database, { log: SILENT_LOG, migrationsDir });
    await rm(join(migrationsDir, "20260102000000_second"), { recursive: true });
    const refused = migrate(database, { log: SILENT_LOG, migrationsDir });
    await expect(refused).rejects.toThrow(/by a newer version of the service, which added 20260102000000_second/);
  });

  it("refuses an applied migration that was edited", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir(FIRST);
    await migrate(database, { log: SILENT_LOG, migrationsDir });
    await putMigrations(migrationsDir, { "20260101000000_first": "SELECT 1;" });
    const refused = migrate(database, { log: SILENT_LOG, migrationsDir });
    await expect(refused).rejects.toThrow(/20260101000000_first was edited after it had been applied/);
  });

  it("accepts an edited migration that declares which version it replaces", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir(FIRST);
    const options = { log: SILENT_LOG, migrationsDir };
    await migrate(database, options);
    const [record] = await query<{ checksum: string }>(database, "SELECT checksum FROM _prisma_migrations");
    const mended = `-- Replaces: ${record?.checksum ?? ""}\nCREATE TABLE IF NOT EXISTS notes (id int PRIMARY KEY);`;
    await putMigrations(migrationsDir, { "20260101000000_first": mended, ...SECOND });
    expect(await migrate(database, options)).toEqual(["20260102000000_second"]);
  });

  it("refuses a migration that another tool has left unfinished, and ignores one it has rolled back", async () => {
    const database = await createEmptyDatabase();
    const migrationsDir = await newMigrationsDir({ ...FIRST, ...SECOND });
    const options = { log: SILENT_LOG, migrationsDir };
    await migrate(database, options);
    await query(database, "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%second'");
    await expect(migrate(database, options)).rejects.toThrow(/20260102000000_second has been started by another tool/);
    await query(database, "ALTER TABLE notes DROP COLUMN body");
    await query(database, "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name LIKE '%second'");
    expect(await migrate(database, options)).toEqual(["20260102000000_second"]);
  });
});
