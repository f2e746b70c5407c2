import { column, defineCommand, defineQuery, transaction, type Pool, type PoolClient } from "@workspace/db";

const COUNTED_UNTIL = "hook_statistics.counted_until";

/** Counts go back further than the longest window, whose first hour is always read from the events. */
const HORIZON = "date_bin('1 hour', now() - interval '32 days', 'epoch')";

/**
 * An hour is counted once it ended this long ago. The triggers that mark hours as stale ignore events of the last five minutes,
 * so an event can only be missed if its commit takes another five. The database's clock is used, because the triggers use it
 * too.
 */
const COUNTABLE_UNTIL = "date_bin('1 hour', now() - interval '10 minutes', 'epoch')";

const takenStaleHours = defineQuery({
  name: "take-stale-hook-hours",
  row: { hour: column.timestamp },
  text: `
    DELETE FROM hook_stale_hours WHERE hour IN (
      SELECT hour FROM hook_stale_hours WHERE hour < ${COUNTABLE_UNTIL} FOR UPDATE SKIP LOCKED
    ) RETURNING hour`,
});

const droppedCounts = defineCommand({
  name: "delete-hook-hourly-counts",
  text: `DELETE FROM hook_hourly_counts WHERE hour = ANY($1::timestamptz[]) OR hour < ${HORIZON}`,
});

const countedUntil = defineCommand({
  name: "set-hook-hours-counted-until",
  text: `UPDATE settings SET value = to_jsonb(${COUNTABLE_UNTIL}), updated_at = now() WHERE key = '${COUNTED_UNTIL}'`,
});

/**
 * Counts the hours that have ended, and recounts those that have changed since. Cheap if there is nothing to do. Any number of
 * processes may call it concurrently: one counts, the others return immediately. A failure changes nothing.
 */
export async function countHours(pool: Pool): Promise<void> {
  if ((await uncountedHours.run(pool)) === 0) return;
  await transaction(pool, async (client) => {
    if (!(await lockCounts(client))) return;
    // Events that arrive from here on mark their hour again, so they are counted now or next time, but never lost. Those that are
    // arriving have locked the mark of their hour, which is left for the next time.
    const staleHours = (await takenStaleHours.all(client)).map(({ hour }) => hour);
    await droppedCounts.run(client, [staleHours]);
    await newCounts.run(client, [staleHours]);
    await countedUntil.run(client);
  });
}

/** Finds a row if there is something to count. */
const uncountedHours = defineCommand({
  name: "has-uncounted-hook-hours",
  isPrepared: true,
  text: `
    SELECT FROM (SELECT max((value #>> '{}')::timestamptz) AS instant FROM settings WHERE key = '${COUNTED_UNTIL}') AS counted
    WHERE counted.instant IS NULL OR counted.instant < ${COUNTABLE_UNTIL}
      OR EXISTS (SELECT FROM hook_stale_hours WHERE hour < counted.instant AND hour >= ${HORIZON})`,
});

const firstCountedUntil = defineCommand({
  name: "insert-hook-hours-counted-until",
  text: `
    INSERT INTO settings (key, value, updated_at) VALUES ('${COUNTED_UNTIL}', to_jsonb(${HORIZON}), now())
    ON CONFLICT DO NOTHING`,
});

const lockedCounts = defineCommand({
  name: "lock-hook-hourly-counts",
  text: `SELECT FROM settings WHERE key = '${COUNTED_UNTIL}' FOR UPDATE SKIP LOCKED`,
});

/** Locks the row that serves as a mutex. Returns false if another process is counting. */
async function lockCounts(client: PoolClient): Promise<boolean> {
  await firstCountedUntil.run(client);
  return (await lockedCounts.run(client)) === 1;
}

/** Counts all hours between the last counted one and those that have ended, and the given earlier hours. */
const newCounts = defineCommand({
  name: "insert-hook-hourly-counts",
  text: `
    WITH spans AS (
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
    -- In the order in which they will be read.
    ORDER BY 1, 2, 3`,
});
