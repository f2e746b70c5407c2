import { transaction, type Pool, type PoolClient } from "@workspace/db";

const COUNTED_UNTIL = "hook_statistics.counted_until";

/** Counts reach back further than the longest window, whose first hour is always read from the events. */
const HORIZON = "date_bin('1 hour', now() - interval '32 days', 'epoch')";

/**
 * Hours are counted once they ended this long ago. The triggers that mark an hour as stale leave out events of the last five
 * minutes, so an event that is neither marked nor counted would have to take the other five to be committed. It is the
 * database's clock that counts, because the triggers go by it.
 */
const COUNTABLE_UNTIL = "date_bin('1 hour', now() - interval '10 minutes', 'epoch')";

/**
 * Counts the hours that have ended and counts again those that changed afterwards. Cheap when there is nothing to do. Any
 * number of processes may call it at once: one counts, the others return at once. A failure leaves everything as it was.
 */
export async function countHours(pool: Pool): Promise<void> {
  if (!(await hasUncountedHours(pool))) return;
  await transaction(pool, async (client) => {
    if (!(await lockCounts(client))) return;
    // What arrives from here on marks its hour anew, so it is counted now or the next time, but never lost.
    const { rows } = await client.query<{ hour: string }>(
      `DELETE FROM hook_stale_hours WHERE hour < ${COUNTABLE_UNTIL} RETURNING hour`,
    );
    const staleHours = rows.map((row) => row.hour);
    await client.query(`DELETE FROM hook_hourly_counts WHERE hour = ANY($1::timestamptz[]) OR hour < ${HORIZON}`, [
      staleHours,
    ]);
    await insertCounts(client, staleHours);
    await client.query(
      `UPDATE settings SET value = to_jsonb(${COUNTABLE_UNTIL}), updated_at = now() WHERE key = '${COUNTED_UNTIL}'`,
    );
  });
}

async function hasUncountedHours(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "has-uncounted-hook-hours",
    text: `
      SELECT FROM (SELECT max((value #>> '{}')::timestamptz) AS instant FROM settings WHERE key = '${COUNTED_UNTIL}') AS counted
      WHERE counted.instant IS NULL OR counted.instant < ${COUNTABLE_UNTIL}
        OR EXISTS (SELECT FROM hook_stale_hours WHERE hour < counted.instant AND hour >= ${HORIZON})`,
  });
  return rowCount === 1;
}

/** The row is the lock: false where another process is counting. */
async function lockCounts(client: PoolClient): Promise<boolean> {
  await client.query(
    `INSERT INTO settings (key, value, updated_at) VALUES ('${COUNTED_UNTIL}', to_jsonb(${HORIZON}), now())
     ON CONFLICT DO NOTHING`,
  );
  const { rowCount } = await client.query(`SELECT FROM settings WHERE key = '${COUNTED_UNTIL}' FOR UPDATE SKIP LOCKED`);
  return rowCount === 1;
}

/** Counts what lies between the hours counted so far and those that have ended, and the given hours before that. */
async function insertCounts(client: PoolClient, staleHours: readonly string[]): Promise<void> {
  await client.query(
    `WITH spans AS (
       SELECT GREATEST((value #>> '{}')::timestamptz, ${HORIZON}) AS starts_at, ${COUNTABLE_UNTIL} AS ends_at
       FROM settings WHERE key = '${COUNTED_UNTIL}'
       UNION ALL
       SELECT hour, hour + interval '1 hour' FROM unnest($1::timestamptz[]) AS hour
       WHERE hour >= ${HORIZON}
         AND hour < (SELECT (value #>> '{}')::timestamptz FROM settings WHERE key = '${COUNTED_UNTIL}')
     )
     INSERT INTO hook_hourly_counts (hour, event_type, tool_name, total, blocked, timed, duration_ms)
     SELECT date_bin('1 hour', created_at, 'epoch'), event_type, COALESCE(tool_name, ''), count(*),
            count(*) FILTER (WHERE blocked), count(duration_ms), COALESCE(sum(duration_ms), 0)
     FROM spans JOIN hook_events ON created_at >= starts_at AND created_at < ends_at
     GROUP BY 1, 2, 3
     -- In the order in which they are read.
     ORDER BY 1, 2, 3`,
    [staleHours],
  );
}
