import type { Client, ClientConfig } from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { ContentWriter } from "../content-writer.ts";
import { CHUNK_BYTES } from "../content-writer.ts";
import type { BackedUpDatabase, BackedUpTable, Segment } from "../manifest.ts";
import { withSession } from "./session.ts";
import { listMigrations, listSequences, listTables, type Table } from "./table-list.ts";

/** How many pages are read and compared together: 8 MB of rows. */
const SEGMENT_PAGES = 1024;

/** The record of a note: where its file is, and what is in it. */
export interface DocumentRecord {
  readonly path: string;
  /** Of very large files, a hash that only the service knows how to compute. */
  readonly contentHash: string;
  readonly sizeBytes: number;
}

export interface ReadDatabaseOptions {
  readonly config: ClientConfig;
  readonly writer: ContentWriter;
  /** Identifies the repository. */
  readonly repositoryId: string;
  /**
   * The segments of an earlier backup that are still stored, by the id of the backup. It is asked for the backup that this
   * database itself names as its last.
   */
  readonly findEarlier: (backupId: string) => Promise<readonly BackedUpTable[]>;
}

export interface ReadDatabase {
  readonly database: BackedUpDatabase;
  /** The notes that are not deleted. */
  readonly documents: readonly DocumentRecord[];
}

/** How the keys of the settings begin by which a database names its last backup in a repository. */
export const LAST_BACKUPS = "backup.last.";

/** The setting by which a database names its last backup in a repository. */
export function lastBackupKey(repositoryId: string): string {
  return `${LAST_BACKUPS}${repositoryId}`;
}

/**
 * Reads a database at one moment, while others change it. Ranges of pages in which nothing has changed since the last backup are
 * not read again: a row keeps its place and the number of the transaction that wrote it as long as it exists. Only a database that
 * was set back to an earlier state could use a number twice, and such a database names an earlier backup, if any.
 */
export async function readDatabase(options: ReadDatabaseOptions): Promise<ReadDatabase> {
  return withSession(options.config, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const lastBackup = await findLastBackup(client, options.repositoryId);
    const earlier = lastBackup === null ? [] : await options.findEarlier(lastBackup);
    const tables: BackedUpTable[] = [];
    for (const table of await listTables(client)) {
      const before = earlier.find((candidate) => isSameTable(candidate, table));
      tables.push(await readTable(client, table, before, options.writer));
    }
    // Sequences know no transactions, so they are read last: no row that was read has a number beyond them.
    const sequences = await listSequences(client);
    const migrations = await listMigrations(client);
    const documents = await listDocuments(client);
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version");
    await client.query("COMMIT");
    return { database: { serverVersion: rows[0]?.version ?? "", migrations, tables, sequences }, documents };
  });
}

function isSameTable(earlier: BackedUpTable, table: Table): boolean {
  return (
    earlier.name === table.name &&
    earlier.fileNode === table.fileNode &&
    earlier.columns.join("\0") === table.columns.join("\0")
  );
}

async function findLastBackup(client: Client, repositoryId: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>(
    "SELECT value->>'backupId' AS id FROM settings WHERE key = $1",
    [lastBackupKey(repositoryId)],
  );
  return rows[0]?.id ?? null;
}

async function readTable(
  client: Client,
  { name, columns, fileNode, pages }: Table,
  before: BackedUpTable | undefined,
  writer: ContentWriter,
): Promise<BackedUpTable> {
  const table = client.escapeIdentifier(name);
  const { rows } = await client.query<{ segment: number; rows: number; fingerprint: string }>(
    `SELECT s.segment, f.rows, f.fingerprint
    FROM generate_series(0, $1::int - 1, ${SEGMENT_PAGES}) AS s(segment) CROSS JOIN LATERAL (
      SELECT count(*)::int AS rows,
        coalesce(bit_xor(hashtextextended(xmin::text, hashtidextended(ctid, 0))), 0)::text AS fingerprint
      FROM ONLY ${table}
      WHERE ctid >= format('(%s,0)', s.segment)::tid AND ctid < format('(%s,0)', s.segment + ${SEGMENT_PAGES})::tid
    ) AS f ORDER BY s.segment`,
    [pages],
  );
  const segments: Segment[] = [];
  for (const [index, { segment: firstPage, rows: count, fingerprint }] of rows.entries()) {
    const earlier = before?.segments[index];
    if (earlier !== undefined && earlier.fingerprint === fingerprint && earlier.rows === count) {
      segments.push(earlier);
      continue;
    }
    const segment: Segment = { fingerprint, rows: count, parts: [] };
    if (count > 0) await copyRows(client, { table, columns, firstPage }, segment, writer);
    segments.push(segment);
  }
  return { name, columns: [...columns], fileNode, segments };
}

async function copyRows(
  client: Client,
  { table, columns, firstPage }: { table: string; columns: readonly string[]; firstPage: number },
  segment: Segment,
  writer: ContentWriter,
): Promise<void> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const range = `ctid >= '(${firstPage},0)'::tid AND ctid < '(${firstPage + SEGMENT_PAGES},0)'::tid`;
  const rows: AsyncIterable<Buffer> = client.query(
    copyTo(`COPY (SELECT ${list} FROM ONLY ${table} WHERE ${range}) TO STDOUT`),
  );
  let pieces: Buffer[] = [];
  let bytes = 0;
  const store = async (): Promise<void> => {
    await writer.add(Buffer.concat(pieces), segment.parts);
    pieces = [];
    bytes = 0;
  };
  for await (const piece of rows) {
    for (let start = 0; start < piece.byteLength;) {
      const end = Math.min(piece.byteLength, start + CHUNK_BYTES - bytes);
      pieces.push(piece.subarray(start, end));
      bytes += end - start;
      start = end;
      if (bytes === CHUNK_BYTES) await store();
    }
  }
  await store();
}

async function listDocuments(client: Client): Promise<DocumentRecord[]> {
  const { rows } = await client.query<{ path: string; contentHash: string; sizeBytes: string }>(
    `SELECT path, content_hash AS "contentHash", size_bytes::text AS "sizeBytes" FROM documents WHERE deleted_at IS NULL`,
  );
  return rows.map(({ sizeBytes, ...record }) => ({ ...record, sizeBytes: Number(sizeBytes) }));
}
