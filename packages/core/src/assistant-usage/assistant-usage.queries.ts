import type { Pool } from "@workspace/db";
import { bucketLabel, bucketOf, bucketsOfWindow, type StatisticsWindow } from "../platform/statistics-window.ts";
import type { AssistantUsageTotals } from "./assistant-usage.schema.ts";

/** A report as it is stored. */
export interface AssistantUsageValues {
  readonly id: string;
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly messageId: string;
  readonly requestId: string;
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly costUsd: number | null;
  readonly createdAt: string;
}

const TOTALS = `
  count(id) AS messages, COALESCE(sum(input_tokens), 0) AS "inputTokens", COALESCE(sum(output_tokens), 0) AS "outputTokens",
  COALESCE(sum(cache_creation_input_tokens), 0) AS "cacheCreationInputTokens",
  COALESCE(sum(cache_read_input_tokens), 0) AS "cacheReadInputTokens",
  COALESCE(sum(input_tokens::bigint + output_tokens + cache_creation_input_tokens + cache_read_input_tokens), 0)
    AS "totalTokens",
  sum(cost_usd) AS "costUsd"`;

/**
 * Stores new reports and raises known ones that have grown; what is smaller than what is stored changes nothing. Each answer
 * of the model may occur once among the values.
 */
export async function upsertLargestUsage(
  pool: Pool,
  values: readonly AssistantUsageValues[],
): Promise<{ added: number; updated: number }> {
  const { rows } = await pool.query<{ isNew: boolean }>(
    `INSERT INTO assistant_usage AS stored (id, session_id, project_path, message_id, request_id, model, input_tokens,
       output_tokens, cache_creation_input_tokens, cache_read_input_tokens, cost_usd, created_at)
     SELECT id, "sessionId", "projectPath", "messageId", "requestId", model, "inputTokens", "outputTokens",
            "cacheCreationInputTokens", "cacheReadInputTokens", "costUsd", "createdAt"
     FROM jsonb_to_recordset($1) AS usage(id uuid, "sessionId" text, "projectPath" text, "messageId" text, "requestId" text,
       model text, "inputTokens" integer, "outputTokens" integer, "cacheCreationInputTokens" integer,
       "cacheReadInputTokens" integer, "costUsd" numeric, "createdAt" timestamptz)
     -- In one order, so that two imports of the same session wait for each other and never in a circle.
     ORDER BY "messageId", "requestId"
     ON CONFLICT (message_id, request_id) DO UPDATE SET
       model = COALESCE(excluded.model, stored.model), input_tokens = excluded.input_tokens,
       output_tokens = excluded.output_tokens,
       cache_creation_input_tokens = excluded.cache_creation_input_tokens,
       cache_read_input_tokens = excluded.cache_read_input_tokens, cost_usd = COALESCE(excluded.cost_usd, stored.cost_usd)
     WHERE excluded.input_tokens::bigint + excluded.output_tokens + excluded.cache_creation_input_tokens
             + excluded.cache_read_input_tokens
         > stored.input_tokens::bigint + stored.output_tokens + stored.cache_creation_input_tokens
             + stored.cache_read_input_tokens
     RETURNING stored.id = ANY($2::uuid[]) AS "isNew"`,
    [JSON.stringify(values), values.map((value) => value.id)],
  );
  const added = rows.filter((row) => row.isNew).length;
  return { added, updated: rows.length - added };
}

/** Null where nothing was imported for the session. */
export async function selectSessionTotals(pool: Pool, sessionId: string): Promise<AssistantUsageTotals | null> {
  const { rows } = await pool.query<AssistantUsageTotals>(
    `SELECT ${TOTALS} FROM assistant_usage WHERE session_id = $1 HAVING count(id) > 0`,
    [sessionId],
  );
  return rows[0] ?? null;
}

/** Totals of the whole window, or of one day, model or project in it, as `groupedBy` says. */
export interface GroupedTotals extends AssistantUsageTotals {
  readonly groupedBy: "nothing" | "day" | "model" | "project";
  readonly day: string | null;
  readonly model: string | null;
  readonly projectPath: string | null;
  readonly sessions: number;
}

/** Every day of the window is there; models and projects come with the most tokens first. */
export async function selectGroupedTotals(pool: Pool, { from, to, zone }: StatisticsWindow): Promise<GroupedTotals[]> {
  const days = bucketsOfWindow("day", { from: "$1", to: "$2", zone: "$3" });
  const { rows } = await pool.query<GroupedTotals>(
    `WITH usage AS (
       SELECT ${bucketOf("created_at", "day", "$3")} AS day, * FROM assistant_usage WHERE created_at BETWEEN $1 AND $2
     )
     SELECT CASE GROUPING(bucket, model, project_path) WHEN 7 THEN 'nothing' WHEN 3 THEN 'day' WHEN 5 THEN 'model'
                                                      ELSE 'project' END AS "groupedBy",
            ${bucketLabel("bucket", "day")} AS day, model, project_path AS "projectPath",
            count(DISTINCT session_id) AS sessions, ${TOTALS}
     FROM ${days} AS days LEFT JOIN usage ON usage.day = bucket
     GROUP BY GROUPING SETS ((), (bucket), (model), (project_path))
     ORDER BY bucket, "totalTokens" DESC, model, project_path`,
    [from, to, zone],
  );
  return rows;
}
