import type { ClientConfig } from "pg";
import { defaultMigrationsDir } from "../package-files.ts";
import { SessionClient } from "../session-client.ts";
import { readMigrationFolder } from "./migration-folder.ts";

/** How the schema of a database compares with a folder of migrations. */
export interface MigrationState {
  /** Those that are still to be applied. */
  readonly pending: readonly string[];
  /** Those that the database has, but the folder has not: a newer version has applied them. */
  readonly unknown: readonly string[];
}

/** Compares a database that has been migrated before with a folder of migrations, and changes nothing. */
export async function readMigrationState(
  config: ClientConfig,
  migrationsDir: string = defaultMigrationsDir(),
): Promise<MigrationState> {
  const names = (await readMigrationFolder(migrationsDir)).migrations.map(({ name }) => name);
  const client = new SessionClient({ connectionTimeoutMillis: 5000, ...config });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
    );
    const applied = new Set(rows.map(({ name }) => name));
    const known = new Set(names);
    return {
      pending: names.filter((name) => !applied.has(name)),
      unknown: [...applied].filter((name) => !known.has(name)),
    };
  } finally {
    await client.end();
  }
}
