import { hostname } from "node:os";
import { SessionClient } from "@workspace/db";
import type { ClientConfig } from "pg";
import { BackupError } from "../backup-error.ts";
import { withSession } from "./session.ts";

/** The setting by which a database says that the workspace is no longer in it. */
const MARK = "database.moved-to";

/** Names a database without its user and password: `host:port/name`. */
export function nameDatabase(config: ClientConfig): string {
  const { host, port, database } = new SessionClient(config);
  return `${host}:${port}/${database ?? ""}`;
}

/** Marks an external database whose rows were moved into a data folder of this machine. */
export async function markAsLeft(config: ClientConfig, dataDir: string): Promise<void> {
  await withSession(config, async (client) => {
    await client.query(
      `INSERT INTO settings (key, value, updated_at) VALUES ($1, to_jsonb($2::text), now())
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
      [MARK, `${dataDir} on ${hostname()}`],
    );
  });
}

/** Throws {@link BackupError} if the workspace was moved from a database into a data folder. */
export async function assertNotLeft(config: ClientConfig): Promise<void> {
  const place = await withSession(config, async (client) => {
    const { rows: found } = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('settings') IS NOT NULL AS exists",
    );
    if (found[0]?.exists !== true) return null;
    const { rows } = await client.query<{ place: string }>(
      "SELECT value #>> '{}' AS place FROM settings WHERE key = $1",
      [MARK],
    );
    return rows[0]?.place ?? null;
  });
  if (place === null) return;
  throw new BackupError(
    `The workspace in the database ${nameDatabase(config)} was moved into ${place}. Remove DATABASE_URL there. To use this database ` +
      `nevertheless, without what has changed since: DELETE FROM settings WHERE key = '${MARK}'.`,
  );
}
