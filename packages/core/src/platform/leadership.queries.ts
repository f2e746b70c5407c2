import { column, defineCommand, defineQuery, type Pool, type PoolClient } from "@workspace/db";

/** Work that one process at a time does. */
export type LeadershipName = "mirror" | "memory-embeddings";

const otherLeader = defineCommand({
  name: "select-other-leader",
  text: "SELECT FROM leaderships l JOIN server_processes p ON p.id = l.process_id WHERE l.name = $1 AND p.id <> $2",
});

const claimedLeadership = defineQuery({
  name: "claim-leadership",
  row: { epoch: column.integer },
  text: `
    INSERT INTO leaderships (name, epoch, process_id)
    SELECT $1, 1, id FROM server_processes WHERE id = $2
    ON CONFLICT (name) DO UPDATE SET epoch = leaderships.epoch + 1, process_id = excluded.process_id
    WHERE leaderships.process_id IS NOT DISTINCT FROM $2
      OR NOT EXISTS (SELECT FROM server_processes p WHERE p.id = leaderships.process_id)
    RETURNING epoch`,
});

/**
 * Makes a registered process the leader if the previous leader is no longer registered. Returns the unique number of its
 * term; null if another process leads.
 */
export async function claimLeadership(pool: Pool, name: LeadershipName, processId: string): Promise<number | null> {
  // Usually another process leads, which this query finds out without locking anything.
  if ((await otherLeader.run(pool, [name, processId])) !== 0) return null;
  return (await claimedLeadership.first(pool, [name, processId]))?.epoch ?? null;
}

const lockedLeadership = defineCommand({
  name: "lock-leadership",
  isPrepared: true,
  text: "SELECT FROM leaderships WHERE name = $1 AND epoch = $2 FOR SHARE",
});

/** Whether a term is still current; if so, it remains current until the transaction ends. */
export async function lockLeadership(client: PoolClient, name: LeadershipName, epoch: number): Promise<boolean> {
  return (await lockedLeadership.run(client, [name, epoch])) === 1;
}

const confirmedLeadership = defineCommand({
  name: "confirm-leadership",
  isPrepared: true,
  text: `
    UPDATE leaderships SET last_look_at = coalesce(now() - $3::float8 * interval '1 ms', last_look_at)
    WHERE name = $1 AND epoch = $2`,
});

/** Returns whether a term is still current. Records the age of the last look, by the database's clock, unless it is null. */
export async function confirmLeadership(
  pool: Pool,
  name: LeadershipName,
  epoch: number,
  lookAgeMs: number | null,
): Promise<boolean> {
  return (await confirmedLeadership.run(pool, [name, epoch, lookAgeMs])) === 1;
}

const releasedLeadership = defineCommand({
  name: "release-leadership",
  text: "UPDATE leaderships SET process_id = NULL WHERE name = $1 AND epoch = $2",
});

/** Ends a term, so that another process does not have to wait for the lease to expire. */
export async function releaseLeadership(pool: Pool, name: LeadershipName, epoch: number): Promise<void> {
  await releasedLeadership.run(pool, [name, epoch]);
}

const lookAge = defineQuery({
  name: "select-look-age",
  row: { ageMs: column.float.nullable },
  isPrepared: true,
  text: `
    SELECT greatest(extract(epoch FROM now() - last_look_at) * 1000, 0)::float8 AS "ageMs"
    FROM leaderships WHERE name = $1`,
});

/** How long ago the leader last knew that its work was up to date; null if it never has. */
export async function selectLookAgeMs(pool: Pool, name: LeadershipName): Promise<number | null> {
  const ageMs = (await lookAge.first(pool, [name]))?.ageMs ?? null;
  return ageMs === null ? null : Math.round(ageMs);
}
