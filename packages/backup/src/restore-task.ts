import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client, ClientConfig } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { BackupError } from "./backup-error.ts";
import { createContentReader, type ContentReader } from "./content-reader.ts";
import { findRows } from "./database/copied-rows.ts";
import { withSession } from "./database/session.ts";
import type { BackedUpTable } from "./manifest.ts";
import { namingDamage } from "./naming-damage.ts";
import type { Repository } from "./repository/repository.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface RestoreTaskOptions {
  readonly repository: Repository;
  readonly backupId: string;
  readonly config: ClientConfig;
  readonly taskId: string;
  /** Whether to set back a task that exists and is not deleted. */
  readonly replaces: boolean;
}

export interface RestoredTask {
  readonly title: string;
  /** Rows that belong to it: comments, history, reminders, links. */
  readonly belongings: number;
}

/**
 * Puts one task of a backup back, with everything that belongs to it, also while the service runs. What it refers to and is gone,
 * such as its project, is left out. Throws {@link BackupError}, with nothing changed, if it exists, unless it is to be set back.
 */
export function restoreTask(options: RestoreTaskOptions): Promise<RestoredTask> {
  return namingDamage(`The task ${options.taskId} of the backup ${options.backupId}`, () => restoreRows(options));
}

async function restoreRows(options: RestoreTaskOptions): Promise<RestoredTask> {
  const { repository, backupId, config, taskId, replaces } = options;
  if (!UUID.test(taskId)) throw new BackupError(`"${taskId}" is not the id of a task.`);
  const { database } = await repository.readManifest(backupId);
  const read = createContentReader(repository.chunks);
  const tables = new Map(database.tables.map((table) => [table.name, table]));
  return withSession(config, async (client) => {
    await client.query("BEGIN");
    const isPresent = await assertRestorable(client, taskId, replaces);
    const source = tables.get("tasks");
    const task = await stage(client, source, { among: ["id"], value: taskId, read });
    if (task === null) throw new BackupError(`The backup ${backupId} has no task ${taskId}.`);
    await leaveOutWhatIsGone(client, task);
    const { rows } = await client.query<{ title: string }>(
      `INSERT INTO tasks (${task.list}) SELECT ${task.list} FROM ${task.staged}
      ON CONFLICT (id) DO UPDATE SET ${task.columns.map((column) => `${column} = excluded.${column}`).join(", ")}
      RETURNING title`,
    );
    const [restored] = rows;
    if (restored === undefined) throw new BackupError(`The creator of the task ${taskId} no longer exists.`);
    let belongings = 0;
    for (const { table, columns } of await listBelongings(client)) {
      const staged = await stage(client, tables.get(table), { among: columns, value: taskId, read });
      // Triggers give a new task what new tasks have.
      if (!isPresent) {
        const isOfTask = columns.map((column) => `${client.escapeIdentifier(column)} = $1`).join(" OR ");
        await client.query(`DELETE FROM ${client.escapeIdentifier(table)} WHERE ${isOfTask}`, [taskId]);
      }
      if (staged === null) continue;
      await leaveOutWhatIsGone(client, staged);
      const { rowCount } = await client.query(
        `INSERT INTO ${staged.table} (${staged.list}) SELECT ${staged.list} FROM ${staged.staged} ON CONFLICT DO NOTHING`,
      );
      belongings += rowCount ?? 0;
    }
    await client.query("COMMIT");
    return { title: restored.title, belongings };
  });
}

async function assertRestorable(client: Client, taskId: string, replaces: boolean): Promise<boolean> {
  const { rows } = await client.query<{ isDeleted: boolean }>(
    `SELECT deleted_at IS NOT NULL AS "isDeleted" FROM tasks WHERE id = $1 FOR UPDATE`,
    [taskId],
  );
  if (rows[0]?.isDeleted === false && !replaces) {
    throw new BackupError(`The task ${taskId} exists. Use --replace to set it back to what it was.`);
  }
  return rows.length > 0;
}

/** Rows of a backup in a temporary table. */
interface StagedRows {
  readonly table: string;
  readonly staged: string;
  readonly columns: readonly string[];
  /** The columns that both the backup and the table have. */
  readonly list: string;
}

async function stage(
  client: Client,
  table: BackedUpTable | undefined,
  search: { among: readonly string[]; value: string; read: ContentReader },
): Promise<StagedRows | null> {
  const rows = table === undefined ? [] : await findRows(table, search);
  if (table === undefined || rows.length === 0) return null;
  const { rows: present } = await client.query<{ name: string; type: string }>(
    `SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [client.escapeIdentifier(table.name)],
  );
  const typeOf = new Map(present.map(({ name, type }) => [name, type]));
  const quote = (name: string): string => client.escapeIdentifier(name);
  const staged = quote(`restored_${table.name}`);
  const definitions = table.columns.map((column) => `${quote(column)} ${typeOf.get(column) ?? "text"}`);
  await client.query(`CREATE TEMPORARY TABLE ${staged} (${definitions.join(", ")}) ON COMMIT DROP`);
  const sink = client.query(copyFrom(`COPY ${staged} FROM STDIN`));
  await pipeline(Readable.from(rows.map((row) => Buffer.concat([row, Buffer.from("\n")]))), sink);
  const columns = table.columns.filter((column) => typeOf.has(column)).map(quote);
  return { table: quote(table.name), staged, columns, list: columns.join(", ") };
}

/** Empties references to rows that no longer exist, and drops rows that cannot be without them. */
async function leaveOutWhatIsGone(client: Client, { table, staged, columns }: StagedRows): Promise<void> {
  const { rows } = await client.query<{ column: string; target: string; key: string; isRequired: boolean }>(
    `SELECT quote_ident(a.attname) AS column, k.confrelid::regclass::text AS target, quote_ident(t.attname) AS key,
      a.attnotnull AS "isRequired"
    FROM pg_constraint k
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
    JOIN pg_attribute t ON t.attrelid = k.confrelid AND t.attnum = k.confkey[1]
    WHERE k.contype = 'f' AND k.conrelid = $1::regclass AND cardinality(k.conkey) = 1`,
    [table],
  );
  for (const { column, target, key, isRequired } of rows) {
    if (!columns.some((name) => name === client.escapeIdentifier(column) || name === column)) continue;
    const isGone = `${column} IS NOT NULL AND NOT EXISTS (SELECT FROM ${target} o WHERE o.${key} = s.${column})`;
    await client.query(
      isRequired
        ? `DELETE FROM ${staged} s WHERE ${isGone}`
        : `UPDATE ${staged} s SET ${column} = NULL WHERE ${isGone}`,
    );
  }
}

/** The columns of other tables by which their rows belong to a task. */
async function listBelongings(client: Client): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    SELECT c.relname::text AS table, array_agg(a.attname::text) AS columns
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
    WHERE k.contype = 'f' AND k.confrelid = 'tasks'::regclass AND k.conrelid <> k.confrelid AND k.confdeltype = 'c'
    GROUP BY c.relname ORDER BY c.relname`);
  return rows;
}
