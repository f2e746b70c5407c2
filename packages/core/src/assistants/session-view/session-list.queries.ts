import { column, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import type { TimeAndId } from "../../platform/paging.ts";
import { usageOfSession } from "../assistant-usage/session-usage.queries.ts";
import { firstPromptOf } from "../hooks/first-prompt.ts";

const MAX_NAME = 100;

const LISTED = {
  lastEventId: column.uuid.neverNull,
  sessionId: column.text.neverNull,
  prompt: column.text.nullable,
  projectDir: column.text.nullable,
  assistant: column.text.nullable,
  startedAt: column.timestamp.neverNull,
  lastEventAt: column.timestamp.neverNull,
  hasEnded: column.boolean.neverNull,
  prompts: column.safeInteger.neverNull,
  calls: column.safeInteger.neverNull,
  failed: column.safeInteger.neverNull,
  blocked: column.safeInteger.neverNull,
  totalTokens: column.numeric.nullable,
  costUsd: column.numeric.nullable,
};
export type ListedRow = Readonly<RowOf<typeof LISTED>>;

/** SQL for the latest event of the session that comes next. Events of sessions that are known already are passed over first. */
const nextEvent = (conditions: string) => `
  SELECT session_id, created_at, id FROM hook_events e
  WHERE session_id IS NOT NULL AND ${conditions}
    AND NOT EXISTS (SELECT FROM hook_events later
                    WHERE later.session_id = e.session_id AND (later.created_at, later.id) > (e.created_at, e.id))
  ORDER BY created_at DESC, id DESC LIMIT 1`;

const latestSessions = defineQuery({
  name: "select-latest-sessions",
  row: LISTED,
  text: `
    WITH RECURSIVE latest AS (
      (SELECT *, ARRAY[session_id] AS seen
       FROM (${nextEvent("($1::timestamptz IS NULL OR (created_at, id) < ($1, $2::uuid))")}) AS first)
      UNION ALL
      SELECT next.session_id, next.created_at, next.id, latest.seen || next.session_id
      FROM latest, LATERAL (
        ${nextEvent("(created_at, id) < (latest.created_at, latest.id) AND session_id <> ALL (latest.seen)")}
      ) AS next
      WHERE cardinality(latest.seen) < $3::int
    )
    SELECT latest.id AS "lastEventId", session_id AS "sessionId", ${firstPromptOf("latest.session_id")} AS prompt,
           project_dir AS "projectDir", assistant,
           started_at AS "startedAt", latest.created_at AS "lastEventAt", has_ended AS "hasEnded", prompts, calls, failed,
           blocked, total_tokens AS "totalTokens", cost_usd AS "costUsd"
    FROM latest
    CROSS JOIN LATERAL (
      SELECT (array_agg(project_dir ORDER BY created_at) FILTER (WHERE project_dir IS NOT NULL))[1] AS project_dir,
             min(created_at) AS started_at,
             COALESCE((array_agg(event_type = 'SessionEnd' ORDER BY created_at DESC, id DESC))[1], false) AS has_ended,
             count(*) FILTER (WHERE event_type = 'UserPromptSubmit') AS prompts,
             GREATEST(count(*) FILTER (WHERE event_type = 'PreToolUse'),
                      count(*) FILTER (WHERE event_type IN ('PostToolUse', 'PostToolUseFailure'))) AS calls,
             count(*) FILTER (WHERE event_type = 'PostToolUseFailure') AS failed, count(*) FILTER (WHERE blocked) AS blocked
      FROM hook_events WHERE session_id = latest.session_id
    ) AS overview
    LEFT JOIN LATERAL (
      SELECT left(event_data ->> 'harness', ${MAX_NAME}) AS assistant FROM hook_events
      WHERE session_id = latest.session_id AND event_data ->> 'harness' <> '' ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS told ON true
    LEFT JOIN LATERAL (
      SELECT sum(input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens) AS total_tokens,
             sum(cost_usd) AS cost_usd
      FROM ${usageOfSession("latest.session_id")} AS reports
    ) AS used ON true
    ORDER BY latest.created_at DESC, latest.id DESC`,
});

/** The sessions with the latest events, those first, after the last event of one. */
export function selectLatestSessions(db: Queryable, after: TimeAndId | undefined, limit: number): Promise<ListedRow[]> {
  return latestSessions.all(db, [after?.[0], after?.[1], limit]);
}
