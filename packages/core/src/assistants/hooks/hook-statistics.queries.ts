import { column, defineQuery, HookEventType, type Queryable, type RowOf } from "@workspace/db";
import { bucketLabel, bucketOf, bucketsOfWindow, type StatisticsWindow } from "../../platform/statistics-window.ts";

/** Counts of the whole window, or of one day, type or tool in it, depending on which of the three is not null. */
const COUNTS = {
  day: column.text.nullable,
  eventType: column.oneOf(HookEventType).nullable,
  toolName: column.text.nullable,
  total: column.safeInteger.neverNull,
  blocked: column.safeInteger.neverNull,
  avgDurationMs: column.numeric.neverNull,
};
export type HookCounts = RowOf<typeof COUNTS>;

const day = (timestamp: string): string => bucketOf(timestamp, "day", "$3");

/** From the beginning of an hour to its last millisecond, the resolution of stored times. */
const LAST_MOMENT = "interval '59 minutes 59.999 seconds'";

/**
 * Hours that are already counted, lie completely in the window and belong to a single day are taken from their counts. The rest
 * (the edges of the window, the last hour or two, and hours with late arrivals) comes from the events themselves. It is one
 * statement, so that both come from the same snapshot of the database. The zero rows make every day of the window appear.
 * OFFSET 0 keeps PostgreSQL, which cannot know how few hours are left, from reading the whole window to find them.
 */
const STATISTICS = `
  WITH hours AS MATERIALIZED (
    SELECT hour, ${day("hour")} AS day,
           hour >= $1 AND hour + interval '1 hour' <= $2
             AND hour < (SELECT (value #>> '{}')::timestamptz FROM settings WHERE key = 'hook_statistics.counted_until')
             AND NOT EXISTS (SELECT FROM hook_stale_hours stale WHERE stale.hour = hours.hour)
             AND ${day("hour")} = ${day(`(hour + ${LAST_MOMENT})`)} AS is_counted
    FROM generate_series(date_bin('1 hour', $1::timestamptz, 'epoch'), $2::timestamptz, interval '1 hour') AS hours(hour)
  ), cells AS (
    SELECT hours.day, event_type, tool_name, total, blocked, timed, duration_ms
    FROM hours JOIN hook_hourly_counts USING (hour) WHERE is_counted
    UNION ALL
    SELECT ${day("created_at")}, event_type, COALESCE(tool_name, ''), 1, blocked::int, num_nonnulls(duration_ms),
           COALESCE(duration_ms, 0)
    FROM hours, LATERAL (
      SELECT * FROM hook_events
      WHERE created_at >= GREATEST(hour, $1) AND created_at <= LEAST(hour + ${LAST_MOMENT}, $2) OFFSET 0
    ) AS events
    WHERE is_counted IS NOT TRUE
    UNION ALL
    SELECT bucket, NULL, '', 0, 0, 0, 0 FROM ${bucketsOfWindow("day", { from: "$1", to: "$2", zone: "$3" })} AS days
  )
  SELECT ${bucketLabel("day", "day")} AS day, event_type AS "eventType", tool_name AS "toolName",
         sum(total) AS total, sum(blocked) AS blocked,
         COALESCE(round((sum(duration_ms) / NULLIF(sum(timed), 0))::numeric, 2), 0) AS "avgDurationMs"
  FROM cells GROUP BY GROUPING SETS ((), (day), (event_type), (tool_name))
  HAVING GROUPING(event_type) = 1 OR event_type IS NOT NULL
  ORDER BY day, total DESC, "toolName"`;

const counts = defineQuery({ name: "select-hook-counts", row: COUNTS, isPrepared: true, text: STATISTICS });

/**
 * The counts of a window: in total, per day (every day that it overlaps), per type and per tool, the last two largest first.
 */
export function selectHookCounts(db: Queryable, { from, to, zone }: StatisticsWindow): Promise<HookCounts[]> {
  return counts.all(db, [from, to, zone]);
}

const recentSessions = defineQuery({
  name: "select-recent-sessions",
  row: { sessionId: column.text.neverNull },
  isPrepared: true,
  text: `
    WITH RECURSIVE recent AS (
      (SELECT session_id, created_at, id, ARRAY[session_id] AS seen FROM hook_events
       WHERE created_at BETWEEN $1 AND $2 AND session_id IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1)
      UNION ALL
      SELECT next.session_id, next.created_at, next.id, recent.seen || next.session_id
      FROM recent, LATERAL (
        SELECT session_id, created_at, id FROM hook_events
        WHERE created_at >= $1 AND (created_at, id) < (recent.created_at, recent.id) AND session_id <> ALL (recent.seen)
        ORDER BY created_at DESC, id DESC LIMIT 1
      ) AS next
      WHERE cardinality(recent.seen) < $3
    )
    SELECT session_id AS "sessionId" FROM recent ORDER BY created_at DESC, id DESC`,
});

/** The distinct sessions of the most recent events, newest first. Stops reading once it has found `limit`. */
export async function selectRecentSessions(
  db: Queryable,
  { from, to }: StatisticsWindow,
  limit: number,
): Promise<string[]> {
  return (await recentSessions.all(db, [from, to, limit])).map(({ sessionId }) => sessionId);
}
