import type { Pool } from "@workspace/db";
import type { HookSession } from "./hook-session.schema.ts";

type Overview = Pick<
  HookSession,
  "projectDir" | "startedAt" | "lastEventAt" | "hasEnded" | "totalEvents" | "blockedEvents"
>;

/** What is looked through for mentions; a longer session is known by its beginning. */
const MAX_SEARCHED_EVENTS = 5000;
const MAX_MENTIONS = 200;

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** With SQL for the session's event data as `data`; `$1` is the session. */
const EVENT_DATA = `
  SELECT event_data AS data FROM hook_events
  WHERE session_id = $1 AND event_data IS NOT NULL ORDER BY created_at, id LIMIT ${MAX_SEARCHED_EVENTS}`;
const MENTIONED_IDS = `SELECT DISTINCT found[1]::uuid AS id
  FROM (${EVENT_DATA}) AS events, regexp_matches(data::text, '${UUID}', 'gi') AS found`;

export async function selectSessionOverview(pool: Pool, sessionId: string): Promise<Overview> {
  const { rows } = await pool.query<Overview>(
    `SELECT (array_agg(project_dir ORDER BY created_at) FILTER (WHERE project_dir IS NOT NULL))[1] AS "projectDir",
            min(created_at) AS "startedAt", max(created_at) AS "lastEventAt",
            COALESCE(max(created_at) FILTER (WHERE event_type = 'SessionEnd')
                       >= max(created_at) FILTER (WHERE event_type <> 'SessionEnd'),
                     bool_or(event_type = 'SessionEnd'), false) AS "hasEnded",
            count(*) AS "totalEvents", count(*) FILTER (WHERE blocked) AS "blockedEvents"
     FROM hook_events WHERE session_id = $1`,
    [sessionId],
  );
  const [overview] = rows;
  if (overview === undefined) throw new Error("An aggregate without GROUP BY gave no row.");
  return overview;
}

/** Tasks whose id occurs in what the session's tools were given or answered. */
export async function selectMentionedTasks(pool: Pool, sessionId: string): Promise<HookSession["tasks"]> {
  const { rows } = await pool.query<HookSession["tasks"][number]>(
    `SELECT id, title FROM tasks WHERE id IN (${MENTIONED_IDS}) ORDER BY created_at DESC LIMIT ${MAX_MENTIONS}`,
    [sessionId],
  );
  return rows;
}

/** Documents whose id, or whose full path as one whole text, occurs in what the session's tools were given or answered. */
export async function selectMentionedDocuments(
  pool: Pool,
  sessionId: string,
  vaultRoot: string,
): Promise<HookSession["documents"]> {
  const { rows } = await pool.query<HookSession["documents"][number]>(
    `WITH mentioned_paths AS (
       SELECT DISTINCT substr(found #>> '{}', length($2) + 2) AS path
       FROM (${EVENT_DATA}) AS events,
            jsonb_path_query(data, '$.** ? (@ starts with $root)', jsonb_build_object('root', $2::text || '/')) AS found
     )
     SELECT id, title, path FROM documents
     WHERE deleted_at IS NULL
       AND (id IN (${MENTIONED_IDS}) OR path IN (SELECT path FROM mentioned_paths))
     ORDER BY modified_at DESC LIMIT ${MAX_MENTIONS}`,
    [sessionId, vaultRoot],
  );
  return rows;
}
