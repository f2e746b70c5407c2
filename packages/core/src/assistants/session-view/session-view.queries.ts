import { column, defineQuery, HookEventType, type Queryable, type RowOf } from "@workspace/db";
import { MAX_PROMPT_TEXT } from "./session-view.schema.ts";

/** Of a longer session, the events after these are not shown. */
export const MAX_EVENTS = 40_000;
const MAX_ERROR = 4_000;

const EVENT = {
  id: column.uuid,
  eventType: column.oneOf(HookEventType),
  toolName: column.text.nullable,
  blocked: column.boolean,
  blockReason: column.text.nullable,
  createdAt: column.timestamp,
  prompt: column.text.nullable,
  callId: column.text.nullable,
  agentId: column.text.nullable,
  decision: column.text.nullable,
  toolDurationMs: column.json.nullable,
  turn: column.json.nullable,
  root: column.text.nullable,
  paths: column.json.as<readonly unknown[]>().nullable,
  error: column.text.nullable,
  input: column.json.nullable,
};

/** An event of a session, without what the view of it does not show. */
export type ViewedEvent = Readonly<RowOf<typeof EVENT>>;

/** The data is taken apart once: each operator on it would decompress it again. */
const viewedEvents = defineQuery({
  name: "select-viewed-events",
  row: EVENT,
  text: `
    SELECT id, event_type AS "eventType", tool_name AS "toolName", blocked, block_reason AS "blockReason",
           created_at AS "createdAt", CASE WHEN $5 THEN data.prompt ELSE left(data.prompt, ${MAX_PROMPT_TEXT + 1}) END AS prompt,
           data."toolUseId" AS "callId", data."agentId", data.policy ->> 'decision' AS decision, data."toolDurationMs",
           data.turn, data."writtenLines" ->> 'root' AS root,
           jsonb_path_query_array(data."writtenLines", '$.files[*].path') AS paths, left(data.error, ${MAX_ERROR}) AS error,
           CASE WHEN $5 THEN data."toolInput" END AS input
    FROM hook_events
    LEFT JOIN LATERAL jsonb_to_record(event_data) AS data(prompt text, "toolUseId" text, "agentId" text, policy jsonb,
      "toolDurationMs" jsonb, turn jsonb, "writtenLines" jsonb, error text, "toolInput" jsonb) ON true
    WHERE session_id = $1 AND ($2::timestamptz IS NULL OR created_at >= $2) AND ($3::timestamptz IS NULL OR created_at < $3)
    ORDER BY created_at, id LIMIT $4`,
});

interface EventRange {
  readonly since: string | null;
  readonly until: string | null;
  /** Whether to read what was said and given to tools as well. */
  readonly hasContent: boolean;
}

/** The events of a session in a span of time, in order. */
export function selectViewedEvents(
  db: Queryable,
  sessionId: string,
  { since, until, hasContent }: EventRange,
): Promise<ViewedEvent[]> {
  return viewedEvents.all(db, [sessionId, since, until, MAX_EVENTS, hasContent]);
}

const SPENT = {
  /** From 1, which of the times it followed. */
  place: column.integer.neverNull,
  totalTokens: column.numeric.neverNull,
  outputTokens: column.safeInteger.neverNull,
  costUsd: column.numeric.nullable,
};

const spentSince = defineQuery({
  name: "select-session-usage-by-time",
  row: SPENT,
  text: `
    SELECT width_bucket(created_at, $2::timestamptz[]) AS place,
           sum(input_tokens::bigint + output_tokens + cache_creation_input_tokens + cache_read_input_tokens) AS "totalTokens",
           sum(output_tokens) AS "outputTokens", sum(cost_usd) AS "costUsd"
    FROM assistant_usage WHERE session_id = $1 AND created_at >= ($2::timestamptz[])[1] GROUP BY 1`,
});

/** The tokens and the cost of a session after each of some times, which are in order, until the next one. */
export function selectUsageByTime(
  db: Queryable,
  sessionId: string,
  times: readonly string[],
): Promise<readonly Readonly<RowOf<typeof SPENT>>[]> {
  return spentSince.all(db, [sessionId, times]);
}
