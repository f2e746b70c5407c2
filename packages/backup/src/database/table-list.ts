import type { ClientBase } from "pg";

/** A table of the service, as it is in the database. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Changes whenever the table is rewritten. */
  readonly fileNode: string;
  readonly pages: number;
}

/** All tables with rows of the service, in the order of their names; what migrations have recorded is not among them. */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname::text AS name, pg_relation_filenode(c.oid)::text AS "fileNode",
      ceil(pg_relation_size(c.oid) / current_setting('block_size')::numeric)::int AS pages,
      ARRAY(
        SELECT a.attname::text FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum
      ) AS columns
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
    ORDER BY c.relname`);
  return rows;
}

/** A counter of the database. */
export interface Sequence {
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** All sequences with their current values. */
export async function listSequences(client: ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT c.relname::text AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' ORDER BY c.relname`);
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ value: string; isCalled: boolean }>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${client.escapeIdentifier(name)}`,
    );
    for (const row of values) sequences.push({ name, ...row });
  }
  return sequences;
}

/** The names of the migrations that a database has, in their order. */
export async function listMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT migration_name AS name FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`);
  return rows.map(({ name }) => name);
}
