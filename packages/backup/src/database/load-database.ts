import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { migrate, type Log } from "@workspace/db";
import type { Client, ClientConfig } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { BackupError } from "../backup-error.ts";
import type { ContentReader } from "../content-reader.ts";
import type { BackedUpDatabase, BackedUpTable } from "../manifest.ts";
import { withSession } from "./session.ts";
import { listTables } from "./table-list.ts";

export interface LoadDatabaseOptions {
  readonly config: ClientConfig;
  readonly database: BackedUpDatabase;
  readonly read: ContentReader;
  readonly migrationsDir: string;
  readonly log: Log;
}

/** What a database consists of, apart from its rows. */
export type DatabaseContent = Pick<BackedUpDatabase, "migrations" | "sequences"> & {
  readonly tables: readonly Pick<BackedUpTable, "name" | "columns">[];
};

/**
 * Creates the schema of a backup, puts all rows into it in one transaction, and brings it to the schema of this version. The
 * database must have no rows yet; whatever interrupts this, the same call may be made again.
 */
export async function loadDatabase({ config, database, read, migrationsDir, log }: LoadDatabaseOptions): Promise<void> {
  await fillDatabase({
    config,
    content: database,
    migrationsDir,
    log,
    async fill(client) {
      for (const table of database.tables) await fillTable(client, table, read);
    },
  });
  await migrate(config, { log, migrationsDir });
}

export interface FillDatabaseOptions {
  readonly config: ClientConfig;
  readonly content: DatabaseContent;
  readonly migrationsDir: string;
  readonly log: Log;
  /** Puts in all rows, within the transaction of the client. */
  readonly fill: (client: Client) => Promise<void>;
}

/** Creates a schema, and has all rows put into it in one transaction. The database must have no rows yet. May be repeated. */
export async function fillDatabase({ config, content, migrationsDir, log, fill }: FillDatabaseOptions): Promise<void> {
  await migrate(config, { log, migrationsDir, only: new Set(content.migrations) });
  await withSession(config, async (client) => {
    await client.query("BEGIN; SET LOCAL maintenance_work_mem = '256MB'");
    await assertSameTables(client, content);
    const put = await takeOutOfTheWay(client);
    await fill(client);
    for (const { name, value, isCalled } of content.sequences) {
      await client.query("SELECT setval($1::text::regclass, $2::bigint, $3)", [
        client.escapeIdentifier(name),
        value,
        isCalled,
      ]);
    }
    // The place of rows is new, so no earlier backup can tell which of them have changed, and nobody has moved these elsewhere.
    await client.query("DELETE FROM settings WHERE starts_with(key, 'backup.last.') OR key = 'database.moved-to'");
    await put();
    await client.query("COMMIT");
    await client.query("ANALYZE");
  });
}

async function assertSameTables(client: Client, { tables }: DatabaseContent): Promise<void> {
  const present = await listTables(client);
  const columnsOf = new Map(present.map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of tables) {
    const isKnown = columns.every((column) => columnsOf.get(name)?.has(column) === true);
    if (!isKnown) throw new BackupError(`This version has no table ${name} with the columns of the rows to be loaded.`);
  }
}

/**
 * Removes foreign keys and indexes, which are quicker to check and build when all rows are there, and switches off triggers, whose
 * effects are in the backup already. Returns the function that puts everything back.
 */
async function takeOutOfTheWay(client: Client): Promise<() => Promise<void>> {
  const { rows: tables } = await client.query<{ table: string }>(`
    SELECT quote_ident(relname) AS table FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'`);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype = 'f'`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)`);
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  for (const { table } of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  // Migrations may have put rows into new tables.
  await client.query(`TRUNCATE ${tables.map(({ table }) => table).join(", ")}`);
  return async () => {
    for (const { definition } of indexes) await client.query(definition);
    for (const { table, name, definition } of keys) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    for (const { table } of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  };
}

async function fillTable(
  client: Client,
  { name, columns, segments }: BackedUpTable,
  read: ContentReader,
): Promise<void> {
  const expected = segments.reduce((sum, { rows }) => sum + rows, 0);
  if (expected === 0) return;
  const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const sink = client.query(copyFrom(`COPY ${client.escapeIdentifier(name)} (${list}) FROM STDIN`));
  await pipeline(Readable.from(read(segments.flatMap(({ parts }) => parts))), sink);
  if (sink.rowCount !== expected) {
    throw new BackupError(`The table ${name} has ${sink.rowCount} rows, but should have ${expected}.`);
  }
}

/** Whether a database has any rows of a workspace. */
export async function holdsData(config: ClientConfig): Promise<boolean> {
  return withSession(config, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass('users') IS NOT NULL AS exists");
    if (rows[0]?.exists !== true) return false;
    const { rows: users } = await client.query("SELECT FROM users LIMIT 1");
    return users.length > 0;
  });
}

/** Removes everything of a workspace from a database that an interrupted restore has begun to fill. */
export async function emptyDatabase(config: ClientConfig): Promise<void> {
  const isOwn = (catalog: string): string =>
    `NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = o.oid AND d.classid = '${catalog}'::regclass AND d.deptype = 'e')`;
  await withSession(config, async (client) => {
    const { rows } = await client.query<{ statement: string }>(`
      SELECT 'DROP TABLE IF EXISTS ' || o.oid::regclass || ' CASCADE' AS statement FROM pg_class o
      WHERE o.relnamespace = current_schema()::regnamespace AND o.relkind = 'r' AND ${isOwn("pg_class")}
      UNION ALL SELECT 'DROP FUNCTION IF EXISTS ' || o.oid::regprocedure || ' CASCADE' FROM pg_proc o
      WHERE o.pronamespace = current_schema()::regnamespace AND ${isOwn("pg_proc")}
      UNION ALL SELECT 'DROP TYPE IF EXISTS ' || o.oid::regtype || ' CASCADE' FROM pg_type o
      WHERE o.typnamespace = current_schema()::regnamespace AND o.typtype = 'e' AND ${isOwn("pg_type")}
      UNION ALL SELECT 'DROP COLLATION IF EXISTS ' || o.oid::regcollation || ' CASCADE' FROM pg_collation o
      WHERE o.collnamespace = current_schema()::regnamespace AND ${isOwn("pg_collation")}`);
    await client.query("BEGIN");
    for (const { statement } of rows) await client.query(statement);
    await client.query("COMMIT");
  });
}
