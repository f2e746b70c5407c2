import type { Pool, PoolClient } from "@workspace/db";
import { bucketLabel, bucketOf, bucketsOfWindow, type StatisticsWindow } from "../platform/statistics-window.ts";
import type { HookEventType } from "./hook-event.schema.ts";

type Queryable = Pool | PoolClient;

/** Counts of the whole window, or of one day, type or tool in it: whichever of the three is there says which. */
export interface HookCounts {
  readonly day: string | null;
  readonly eventType: HookEventType | null;
  readonly toolName: string | null;
  readonly total: number;
  readonly blocked: number;
  readonly avgDurationMs: number;
}

const day = (timestamp: string): string => bucketOf(timestamp, "day", "$3");

/** From the beginning of an hour to its last millisecond, which is as exact as times are stored. */
const LAST_MOMENT = "interval '59 minutes 59.999 seconds'";

/**
 * Hours that were counted already, lie in the window as a whole and belong to one day are taken from their counts; the rest,
 * which is the edges of the window, the last hour or two and hours with late arrivals, from the events themselves. One
 * statement, so both come from the same state of the database. The zero rows make every day of the window appear. OFFSET 0
 * keeps PostgreSQL, which cannot know how few hours are left to read, from reading the whole window to find them.
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

/** The window's counts: in all, per day (every day that it touches), per type and per tool, the last two largest first. */
export async function selectHookCounts(db: Queryable, { from, to, zone }: StatisticsWindow): Promise<HookCounts[]> {
  const { rows } = await db.query<HookCounts>({
    name: "select-hook-counts",
    text: STATISTICS,
    values: [from, to, zone],
  });
  return rows;
}

/** The sessions of the last events, each once, newest first; stops reading as soon as it has `limit`. */
export async function selectRecentSessions(
  db: Queryable,
  { from, to }: StatisticsWindow,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ sessionId: string }>({
    name: "select-recent-sessions",
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
    values: [from, to, limit],
  });
  return rows.map((row) => row.sessionId);
}
