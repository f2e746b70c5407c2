import { column, defineQuery, type Queryable } from "@workspace/db";
import type { LeadershipName } from "../../platform/leadership.queries.ts";
import { MAX_TABLES, type ServerStatus } from "./server-status.schema.ts";

const processes = defineQuery({
  name: "select-server-processes",
  row: {
    id: column.uuid,
    startedAt: column.timestamp,
    isThis: column.boolean.neverNull,
    isAlive: column.boolean.neverNull,
    leads: column.json.as<LeadershipName[]>().neverNull,
  },
  text: `
    SELECT p.id, p.started_at AS "startedAt", p.id = $1::uuid AS "isThis", p.lease_expires_at >= now() AS "isAlive",
      COALESCE((SELECT jsonb_agg(l.name ORDER BY l.name) FROM leaderships l WHERE l.process_id = p.id), '[]') AS leads
    FROM server_processes p ORDER BY p.started_at, p.id`,
});

/** The registered processes, those that have run longest first. */
export function selectProcesses(db: Queryable, thisId: string): Promise<ServerStatus["processes"]> {
  return processes.all(db, [thisId]);
}

const database = defineQuery({
  name: "select-database-status",
  row: { version: column.text.neverNull, sizeBytes: column.safeInteger.neverNull },
  text: `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS "sizeBytes"`,
});

const tables = defineQuery({
  name: "select-largest-tables",
  row: { name: column.text.neverNull, sizeBytes: column.safeInteger.neverNull, rows: column.safeInteger.neverNull },
  text: `
    SELECT c.relname::text AS name, pg_total_relation_size(c.oid) AS "sizeBytes", GREATEST(c.reltuples, 0)::bigint AS rows
    FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    ORDER BY 2 DESC, 1 LIMIT ${MAX_TABLES}`,
});

/** The size of the database, and of its largest tables. */
export async function selectDatabaseStatus(db: Queryable): Promise<ServerStatus["database"]> {
  const [whole, largest] = await Promise.all([database.first(db, []), tables.all(db, [])]);
  return { version: whole?.version ?? "", sizeBytes: whole?.sizeBytes ?? 0, tables: largest };
}

const vault = defineQuery({
  name: "select-vault-size",
  row: { documents: column.safeInteger.neverNull, sizeBytes: column.safeInteger.neverNull },
  text: `
    SELECT count(*) AS documents, COALESCE(sum(size_bytes), 0)::bigint AS "sizeBytes" FROM documents WHERE deleted_at IS NULL`,
});

/** How many documents there are, and how large they are together. */
export async function selectVaultSize(db: Queryable): Promise<{ documents: number; sizeBytes: number }> {
  return (await vault.first(db, [])) ?? { documents: 0, sizeBytes: 0 };
}
