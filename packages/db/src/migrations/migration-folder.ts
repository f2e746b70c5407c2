import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Migration {
  /** `<timestamp>_<what>`; migrations are applied in the order of their names. */
  readonly name: string;
  readonly sql: string;
  /** Of the SQL, as Prisma records it. */
  readonly checksum: string;
}

export interface MigrationFolder {
  readonly dir: string;
  /** In the order in which they are applied. */
  readonly migrations: readonly Migration[];
}

export const SCRIPT_FILE_NAME = "migration.sql";

/** Prisma's note of the kind of database that the migrations are for; its tools refuse a folder without it. */
export const LOCK_FILE = { name: "migration_lock.toml", content: 'provider = "postgresql"\n' } as const;

/** Reads a folder of migrations in Prisma's layout. Rejects when the folder, or a migration's script, is missing. */
export async function readMigrationFolder(dir: string): Promise<MigrationFolder> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrations = await Promise.all(names.toSorted().map((name) => readMigration(dir, name)));
  return { dir, migrations };
}

async function readMigration(dir: string, name: string): Promise<Migration> {
  const sql = await readFile(join(dir, name, SCRIPT_FILE_NAME), "utf8");
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
}
