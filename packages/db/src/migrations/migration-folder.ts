import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Migration {
  /** `<timestamp>_<title>`; migrations are applied in the order of their names. */
  readonly name: string;
  readonly sql: string;
  /** The checksum of the SQL, as Prisma records it. */
  readonly checksum: string;
  /** Checksums of earlier versions of the SQL with the same effect, which databases may have recorded. */
  readonly formerChecksums: readonly string[];
}

export interface MigrationFolder {
  readonly dir: string;
  /** In the order in which they are applied. */
  readonly migrations: readonly Migration[];
}

/** The line by which a corrected script declares which version it replaces. */
const REPLACES = /^-- Replaces: ([0-9a-f]{64})$/gm;

export const SCRIPT_FILE_NAME = "migration.sql";

/** The file in which Prisma notes the kind of database; its tools refuse a folder without it. */
export const LOCK_FILE = { name: "migration_lock.toml", content: 'provider = "postgresql"\n' } as const;

/** Reads a folder of migrations in Prisma's layout. Rejects if the folder or a migration's script is missing. */
export async function readMigrationFolder(dir: string): Promise<MigrationFolder> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrations = await Promise.all(names.toSorted().map((name) => readMigration(dir, name)));
  return { dir, migrations };
}

async function readMigration(dir: string, name: string): Promise<Migration> {
  const sql = await readFile(join(dir, name, SCRIPT_FILE_NAME), "utf8");
  const formerChecksums = Array.from(sql.matchAll(REPLACES), ([, checksum = ""]) => checksum);
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex"), formerChecksums };
}
