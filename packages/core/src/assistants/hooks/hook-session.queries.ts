import { column, defineQuery, type HookEventType, type Pool, type RowOf } from "@workspace/db";
import type { HookSession, SessionAssistant } from "./hook-session.schema.ts";

/** How many events to search for mentions; of a longer session, only the beginning is searched. */
const MAX_SEARCHED_EVENTS = 5000;
const MAX_MENTIONS = 200;

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** SQL for the session's event data as `data`; `$1` is the session. */
const EVENT_DATA = `
  SELECT event_data AS data FROM hook_events
  WHERE session_id = $1 AND event_data IS NOT NULL ORDER BY created_at, id LIMIT ${MAX_SEARCHED_EVENTS}`;
const MENTIONED_IDS = `SELECT DISTINCT found[1]::uuid AS id
  FROM (${EVENT_DATA}) AS events, regexp_matches(data::text, '${UUID}', 'gi') AS found`;

const OVERVIEW = {
  projectDir: column.text.nullable,
  startedAt: column.timestamp.nullable,
  lastEventAt: column.timestamp.nullable,
  hasEnded: column.boolean.neverNull,
  totalEvents: column.safeInteger.neverNull,
  blockedEvents: column.safeInteger.neverNull,
};

const overview = defineQuery({
  name: "select-session-overview",
  row: OVERVIEW,
  text: `
    SELECT (array_agg(project_dir ORDER BY created_at) FILTER (WHERE project_dir IS NOT NULL))[1] AS "projectDir",
           min(created_at) AS "startedAt", max(created_at) AS "lastEventAt",
           COALESCE(max(created_at) FILTER (WHERE event_type = 'SessionEnd')
                      >= max(created_at) FILTER (WHERE event_type <> 'SessionEnd'),
                    bool_or(event_type = 'SessionEnd'), false) AS "hasEnded",
           count(*) AS "totalEvents", count(*) FILTER (WHERE blocked) AS "blockedEvents"
    FROM hook_events WHERE session_id = $1`,
});

export function selectSessionOverview(pool: Pool, sessionId: string): Promise<RowOf<typeof OVERVIEW>> {
  return overview.one(pool, [sessionId]);
}

const MAX_MODELS = 10;
const MAX_NAME_LENGTH = 100;

/** SQL for what the latest of a session's events of some types says; `$1` is the session. */
const latestOf = (field: string, ...types: readonly HookEventType[]): string => `
  (SELECT left(event_data ->> '${field}', ${MAX_NAME_LENGTH}) FROM hook_events
   WHERE session_id = $1 AND event_type IN (${types.map((type) => `'${type}'`).join(", ")})
     AND jsonb_typeof(event_data -> '${field}') = 'string'
   ORDER BY created_at DESC, id DESC LIMIT 1)`;

const sessionAssistant = defineQuery({
  name: "select-session-assistant",
  row: {
    name: column.text.nullable,
    version: column.text.nullable,
    model: column.text.nullable,
    models: column.texts.neverNull,
  },
  text: `
    SELECT
      coalesce(${latestOf("harness", "SessionStart", "UserPromptSubmit", "SessionEnd")},
               (SELECT min(assistant) FROM assistant_usage WHERE session_id = $1)) AS name,
      ${latestOf("harnessVersion", "SessionStart")} AS version,
      ${latestOf("model", "SessionStart", "UserPromptSubmit")} AS model,
      ARRAY(SELECT model FROM assistant_usage WHERE session_id = $1 AND model IS NOT NULL
            GROUP BY model ORDER BY count(*) DESC, model LIMIT ${MAX_MODELS}) AS models`,
});

/** The models are those of the responses; until some are known, the one that the session says it uses. */
export async function selectSessionAssistant(pool: Pool, sessionId: string): Promise<SessionAssistant> {
  const { model, models, ...assistant } = await sessionAssistant.one(pool, [sessionId]);
  return { ...assistant, models: models.length > 0 || model === null ? models : [model] };
}

const mentionedTasks = defineQuery({
  name: "select-mentioned-tasks",
  row: { id: column.uuid, title: column.text },
  text: `SELECT id, title FROM tasks WHERE id IN (${MENTIONED_IDS}) ORDER BY created_at DESC LIMIT ${MAX_MENTIONS}`,
});

/** Tasks whose id occurs in the input or output of the session's tools. */
export function selectMentionedTasks(pool: Pool, sessionId: string): Promise<HookSession["tasks"]> {
  return mentionedTasks.all(pool, [sessionId]);
}

const mentionedDocuments = defineQuery({
  name: "select-mentioned-documents",
  row: { id: column.uuid, title: column.text, path: column.text },
  text: `
    WITH mentioned_paths AS (
      SELECT DISTINCT substr(found #>> '{}', length($2) + 2) AS path
      FROM (${EVENT_DATA}) AS events,
           jsonb_path_query(data, '$.** ? (@ starts with $root)', jsonb_build_object('root', $2::text || '/')) AS found
    )
    SELECT id, title, path FROM documents
    WHERE deleted_at IS NULL
      AND (id IN (${MENTIONED_IDS}) OR path IN (SELECT path FROM mentioned_paths))
    ORDER BY modified_at DESC LIMIT ${MAX_MENTIONS}`,
});

/** Documents whose id, or whose full path as a separate string, occurs in the input or output of the session's tools. */
export function selectMentionedDocuments(
  pool: Pool,
  sessionId: string,
  vaultRoot: string,
): Promise<HookSession["documents"]> {
  return mentionedDocuments.all(pool, [sessionId, vaultRoot]);
}
