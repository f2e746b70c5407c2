import { pipeline } from "node:stream/promises";
import type { Log } from "@workspace/db";
import type { Client, ClientConfig } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { BackupError } from "../backup-error.ts";
import { fillDatabase } from "./load-database.ts";
import { withSession } from "./session.ts";
import { listMigrations, listSequences, listTables, type Table } from "./table-list.ts";

export interface TransferOptions {
  /** The database whose content is copied, and which is only read. */
  readonly from: ClientConfig;
  /** A database without rows. */
  readonly to: ClientConfig;
  readonly migrationsDir: string;
  readonly log: Log;
  /** Called with each table that was copied, and finally compared. */
  readonly onTable: (step: "copied" | "compared", name: string) => void;
}

export interface TransferResult {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Copies all rows of a database to another server, of any version, in the text format of COPY, and compares them there: the number
 * of rows of each table and a hash over their content. Throws {@link BackupError} if a table differs.
 */
export async function transferDatabase({
  from,
  to,
  migrationsDir,
  log,
  onTable,
}: TransferOptions): Promise<TransferResult> {
  return withSession(from, async (source) => {
    await source.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (!(await hasSchema(source))) return { tables: 0, rows: 0 };
    const migrations = await listMigrations(source);
    const tables = await listTables(source);
    const content = { migrations, tables: tables.map(withMutableColumns), sequences: await listSequences(source) };
    await fillDatabase({
      config: to,
      content,
      migrationsDir,
      log,
      async fill(target) {
        for (const table of tables) {
          await copyTable(source, target, table);
          onTable("copied", table.name);
        }
      },
    });
    return withSession(to, async (target) => {
      let rows = 0;
      for (const table of tables) {
        rows += await compareTable(source, target, table);
        onTable("compared", table.name);
      }
      return { tables: tables.length, rows };
    });
  });
}

function withMutableColumns({ name, columns }: Table) {
  return { name, columns: [...columns] };
}

/** False for a database that was created, but never migrated. */
async function hasSchema(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AND to_regclass('settings') IS NOT NULL AS exists",
  );
  return rows[0]?.exists === true;
}

async function copyTable(source: Client, target: Client, { name, columns }: Table): Promise<void> {
  const table = source.escapeIdentifier(name);
  const list = columns.map((column) => source.escapeIdentifier(column)).join(", ");
  await pipeline(
    source.query(copyTo(`COPY (SELECT ${list} FROM ONLY ${table}) TO STDOUT`)),
    target.query(copyFrom(`COPY ${table} (${list}) FROM STDIN`)),
  );
}

interface Summary {
  readonly count: string;
  readonly hash: string;
}

/** Returns the number of rows. */
async function compareTable(source: Client, target: Client, table: Table): Promise<number> {
  const [before, after] = await Promise.all([summarize(source, table), summarize(target, table)]);
  if (before.count === after.count && before.hash === after.hash) return Number(before.count);
  throw new BackupError(
    `The table ${table.name} is not the same in the new database: it has ${after.count} rows, and had ${before.count}` +
      `${before.count === after.count ? ", with other content" : ""}. Nothing has been replaced.`,
  );
}

/** The hash is the sum of the rows' hashes, so it does not depend on their order; that of PostgreSQL may change with its version. */
async function summarize(client: Client, { name, columns }: Table): Promise<Summary> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
  // What names the last backup stays behind.
  const where = name === "settings" ? "WHERE NOT starts_with(key, 'backup.last.')" : "";
  const { rows } = await client.query<Summary>(
    `SELECT count(*)::text AS count, coalesce(sum(('x' || left(md5(ROW(${list})::text), 16))::bit(64)::bigint), 0)::text AS hash
    FROM ONLY ${client.escapeIdentifier(name)} ${where}`,
  );
  return rows[0] ?? { count: "0", hash: "0" };
}
