import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Client, type ClientConfig, escapeIdentifier } from "pg";
import { defaultMigrationsDir, defaultSchemaPath } from "../package-files.ts";
import { createEngineAdapterFactory } from "./engine-adapter.ts";
import { readMigrationFolder } from "./migration-folder.ts";
import { NO_FILTERS, toMigrationList, withSchemaEngine } from "./schema-engine.ts";

export interface SchemaDriftOptions {
  /** A server on which a temporary database may be created. */
  readonly server: ClientConfig;
  readonly migrationsDir?: string;
  readonly schemaPath?: string;
}

/**
 * The SQL that the migrations lack to produce the Prisma schema; undefined if they lack none.
 *
 * Applies the migrations to a temporary, initially empty database and compares the result with the schema. Prisma sees tables,
 * columns, enums, foreign keys and ordinary indexes; it does not see, and so ignores, extensions, functions, triggers, views, CHECK
 * constraints, and partial or expression indexes.
 * Rejects if the schema is invalid or a migration fails.
 */
export async function findSchemaDrift({
  server,
  migrationsDir = defaultMigrationsDir(),
  schemaPath = defaultSchemaPath(),
}: SchemaDriftOptions): Promise<string | undefined> {
  const folder = await readMigrationFolder(migrationsDir);
  const schema = { path: basename(schemaPath), content: await readFile(schemaPath, "utf8") };
  return withEmptyDatabase(server, (client) =>
    withSchemaEngine(createEngineAdapterFactory(client), async (engine) => {
      const { exitCode, stdout } = await engine.diff({
        from: { tag: "migrations", ...toMigrationList(folder, folder.migrations) },
        to: { tag: "schemaDatamodel", files: [schema] },
        script: true,
        exitCode: true,
        filters: NO_FILTERS,
      });
      const HAS_DIFFERENCES = 2;
      return exitCode === HAS_DIFFERENCES ? (stdout ?? "") : undefined;
    }),
  );
}

async function withEmptyDatabase<T>(server: ClientConfig, use: (client: Client) => Promise<T>): Promise<T> {
  const name = `schema_drift_${randomUUID()}`;
  const administrator = new Client(server);
  const client = new Client({ ...server, database: name });
  try {
    await administrator.connect();
    await administrator.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE template0`);
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
    await administrator.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
    await administrator.end();
  }
}
