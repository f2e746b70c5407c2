import type { Pool, PoolClient } from "@workspace/db";

const MIRROR = "mirror";

/**
 * Makes a registered process the leader where the last leader is not registered any more. Answers the number of its term,
 * which no other term has; null where somebody else leads.
 */
export async function claimLeadership(pool: Pool, processId: string): Promise<number | null> {
  // Almost always somebody leads: a look, which locks nothing, comes first.
  const { rowCount: isLed } = await pool.query(
    "SELECT FROM leaderships l JOIN server_processes p ON p.id = l.process_id WHERE l.name = $1 AND p.id <> $2",
    [MIRROR, processId],
  );
  if (isLed !== 0) return null;
  const { rows } = await pool.query<{ epoch: number }>(
    `INSERT INTO leaderships (name, epoch, process_id)
     SELECT $1, 1, id FROM server_processes WHERE id = $2
     ON CONFLICT (name) DO UPDATE SET epoch = leaderships.epoch + 1, process_id = excluded.process_id
     WHERE leaderships.process_id IS NOT DISTINCT FROM $2
       OR NOT EXISTS (SELECT FROM server_processes p WHERE p.id = leaderships.process_id)
     RETURNING epoch`,
    [MIRROR, processId],
  );
  return rows[0]?.epoch ?? null;
}

/** Whether a term still lasts; if so, it lasts until the transaction ends. */
export async function lockLeadership(client: PoolClient, epoch: number): Promise<boolean> {
  const { rowCount } = await client.query({
    name: "lock-leadership",
    text: "SELECT FROM leaderships WHERE name = $1 AND epoch = $2 FOR SHARE",
    values: [MIRROR, epoch],
  });
  return rowCount === 1;
}

/** Whether a term still lasts. Keeps how long ago the work was up to date, by the database's clock; null is unknown. */
export async function confirmLeadership(pool: Pool, epoch: number, lookAgeMs: number | null): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "confirm-leadership",
    text: `UPDATE leaderships SET last_look_at = coalesce(now() - $3::float8 * interval '1 ms', last_look_at)
      WHERE name = $1 AND epoch = $2`,
    values: [MIRROR, epoch, lookAgeMs],
  });
  return rowCount === 1;
}

/** Ends a term, so that another process need not wait for the lease. */
export async function releaseLeadership(pool: Pool, epoch: number): Promise<void> {
  await pool.query("UPDATE leaderships SET process_id = NULL WHERE name = $1 AND epoch = $2", [MIRROR, epoch]);
}

/** How long ago the leader knew that the documents were in step with the vault; null where it has never been so. */
export async function selectLookAgeMs(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ ageMs: number | null }>({
    name: "select-look-age",
    text: `SELECT greatest(extract(epoch FROM now() - last_look_at) * 1000, 0)::float8 AS "ageMs"
      FROM leaderships WHERE name = $1`,
    values: [MIRROR],
  });
  const ageMs = rows[0]?.ageMs ?? null;
  return ageMs === null ? null : Math.round(ageMs);
}
