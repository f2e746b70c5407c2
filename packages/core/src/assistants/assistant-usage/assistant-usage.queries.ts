import { column, defineCommand, defineQuery, type Pool, type RowOf } from "@workspace/db";
import { bucketLabel, bucketOf, bucketsOfWindow, type StatisticsWindow } from "../../platform/statistics-window.ts";
import type { AssistantUsageTotals, UsageAssistant } from "./assistant-usage.schema.ts";
import type { HourOfUse } from "./limit-windows.ts";
import type { LimitedWindow, LimitReport } from "./reported-limits.ts";
import { usageOfSession } from "./session-usage.queries.ts";

/** A report to store. */
export interface AssistantUsageValues {
  readonly id: string;
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly messageId: string;
  readonly requestId: string;
  readonly assistant: UsageAssistant | null;
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly costUsd: number | null;
  readonly createdAt: string;
}

const TOTALS_ROW = {
  messages: column.safeInteger.neverNull,
  inputTokens: column.safeInteger.neverNull,
  outputTokens: column.safeInteger.neverNull,
  cacheCreationInputTokens: column.safeInteger.neverNull,
  cacheReadInputTokens: column.safeInteger.neverNull,
  totalTokens: column.numeric.neverNull,
  costUsd: column.numeric.nullable,
};

const TOTALS = `
  count(id) AS messages, COALESCE(sum(input_tokens), 0) AS "inputTokens", COALESCE(sum(output_tokens), 0) AS "outputTokens",
  COALESCE(sum(cache_creation_input_tokens), 0) AS "cacheCreationInputTokens",
  COALESCE(sum(cache_read_input_tokens), 0) AS "cacheReadInputTokens",
  COALESCE(sum(input_tokens::bigint + output_tokens + cache_creation_input_tokens + cache_read_input_tokens), 0)
    AS "totalTokens",
  sum(cost_usd) AS "costUsd"`;

const upsertedUsage = defineQuery({
  name: "upsert-largest-usage",
  row: { isNew: column.boolean.neverNull },
  text: `
    INSERT INTO assistant_usage AS stored (id, session_id, project_path, message_id, request_id, assistant, model,
      input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens, cost_usd, created_at)
    SELECT id, "sessionId", "projectPath", "messageId", "requestId", assistant, model, "inputTokens", "outputTokens",
           "cacheCreationInputTokens", "cacheReadInputTokens", "costUsd", "createdAt"
    FROM jsonb_to_recordset($1) AS usage(id uuid, "sessionId" text, "projectPath" text, "messageId" text, "requestId" text,
      assistant text, model text, "inputTokens" integer, "outputTokens" integer, "cacheCreationInputTokens" integer,
      "cacheReadInputTokens" integer, "costUsd" numeric, "createdAt" timestamptz)
    -- What was removed because it was old is in the sum of its session.
    WHERE NOT EXISTS (
      SELECT FROM assistant_session_usage known WHERE known.session_id = usage."sessionId" AND usage."createdAt" <= known.until)
    -- In a fixed order, so that concurrent imports of the same session cannot deadlock.
    ORDER BY "messageId", "requestId"
    ON CONFLICT (message_id, request_id) DO UPDATE SET
      assistant = COALESCE(excluded.assistant, stored.assistant), model = COALESCE(excluded.model, stored.model),
      input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
      cache_creation_input_tokens = excluded.cache_creation_input_tokens,
      cache_read_input_tokens = excluded.cache_read_input_tokens, cost_usd = COALESCE(excluded.cost_usd, stored.cost_usd)
    WHERE excluded.input_tokens::bigint + excluded.output_tokens + excluded.cache_creation_input_tokens
            + excluded.cache_read_input_tokens
        > stored.input_tokens::bigint + stored.output_tokens + stored.cache_creation_input_tokens
            + stored.cache_read_input_tokens
    RETURNING stored.id = ANY($2::uuid[]) AS "isNew"`,
});

/**
 * Stores new reports and updates known ones that have grown; smaller reports change nothing. Each answer may occur only once
 * among the values.
 */
export async function upsertLargestUsage(
  pool: Pool,
  values: readonly AssistantUsageValues[],
): Promise<{ added: number; updated: number }> {
  const rows = await upsertedUsage.all(pool, [JSON.stringify(values), values.map((value) => value.id)]);
  const added = rows.filter((row) => row.isNew).length;
  return { added, updated: rows.length - added };
}

const sessionTotals = defineQuery({
  name: "select-session-totals",
  row: TOTALS_ROW,
  text: `
    SELECT sum(messages)::bigint AS messages, sum(input_tokens)::bigint AS "inputTokens",
      sum(output_tokens)::bigint AS "outputTokens", sum(cache_creation_input_tokens)::bigint AS "cacheCreationInputTokens",
      sum(cache_read_input_tokens)::bigint AS "cacheReadInputTokens",
      sum(input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens) AS "totalTokens",
      sum(cost_usd) AS "costUsd"
    FROM ${usageOfSession("$1")} AS used HAVING count(*) > 0`,
});

/** Null if nothing was imported for the session. */
export function selectSessionTotals(pool: Pool, sessionId: string): Promise<AssistantUsageTotals | null> {
  return sessionTotals.first(pool, [sessionId]);
}

/** Totals of the whole window, or of one day, model or project in it, depending on `groupedBy`. */
const GROUPED_TOTALS = {
  ...TOTALS_ROW,
  groupedBy: column.text.as<"nothing" | "day" | "model" | "project">().neverNull,
  day: column.text.nullable,
  model: column.text.nullable,
  projectPath: column.text.nullable,
  sessions: column.safeInteger.neverNull,
};
export type GroupedTotals = Readonly<RowOf<typeof GROUPED_TOTALS>>;

const groupedTotals = defineQuery({
  name: "select-grouped-totals",
  row: GROUPED_TOTALS,
  text: `
    WITH usage AS (
      SELECT ${bucketOf("created_at", "day", "$3")} AS day, * FROM assistant_usage WHERE created_at BETWEEN $1 AND $2
    )
    SELECT CASE GROUPING(bucket, model, project_path) WHEN 7 THEN 'nothing' WHEN 3 THEN 'day' WHEN 5 THEN 'model'
                                                     ELSE 'project' END AS "groupedBy",
           ${bucketLabel("bucket", "day")} AS day, model, project_path AS "projectPath",
           count(DISTINCT session_id) AS sessions, ${TOTALS}
    FROM ${bucketsOfWindow("day", { from: "$1", to: "$2", zone: "$3" })} AS days LEFT JOIN usage ON usage.day = bucket
    GROUP BY GROUPING SETS ((), (bucket), (model), (project_path))
    ORDER BY bucket, "totalTokens" DESC, model, project_path`,
});

/** Includes every day of the window; models and projects are sorted by tokens, most first. */
export function selectGroupedTotals(pool: Pool, { from, to, zone }: StatisticsWindow): Promise<GroupedTotals[]> {
  return groupedTotals.all(pool, [from, to, zone]);
}

const hoursOfUse = defineQuery({
  name: "select-hours-of-use",
  row: {
    assistant: column.text.as<UsageAssistant>().neverNull,
    startsAt: column.timestamp.neverNull,
    firstUseAt: column.timestamp.neverNull,
    lastUseAt: column.timestamp.neverNull,
    messages: column.safeInteger.neverNull,
    totalTokens: column.numeric.neverNull,
    costUsd: column.numeric.nullable,
  },
  text: `
    SELECT assistant, date_trunc('hour', created_at, 'UTC') AS "startsAt", min(created_at) AS "firstUseAt",
           max(created_at) AS "lastUseAt", count(*) AS messages,
           sum(input_tokens::bigint + output_tokens + cache_creation_input_tokens + cache_read_input_tokens)
             AS "totalTokens",
           sum(cost_usd) AS "costUsd"
    FROM assistant_usage WHERE created_at BETWEEN $1 AND $2 AND assistant IS NOT NULL
    GROUP BY assistant, date_trunc('hour', created_at, 'UTC')
    ORDER BY "startsAt", assistant`,
});

/** The full hours of UTC in which assistants were used, in order of time; without uses of which the assistant is not known. */
export function selectHoursOfUse(
  pool: Pool,
  { from, to }: Pick<StatisticsWindow, "from" | "to">,
): Promise<(HourOfUse & { readonly assistant: UsageAssistant })[]> {
  return hoursOfUse.all(pool, [from, to]);
}

const upsertedLimits = defineCommand({
  name: "upsert-newest-limits",
  text: `
    INSERT INTO assistant_limits AS stored (assistant, "window", used_percent, resets_at, reported_at)
    SELECT assistant, "window", "usedPercent", "resetsAt", "reportedAt"
    FROM jsonb_to_recordset($1) AS report(assistant text, "window" text, "usedPercent" double precision,
      "resetsAt" timestamptz, "reportedAt" timestamptz)
    ORDER BY assistant, "window"
    ON CONFLICT (assistant, "window") DO UPDATE SET
      used_percent = excluded.used_percent, resets_at = excluded.resets_at, reported_at = excluded.reported_at
    WHERE excluded.reported_at >= stored.reported_at`,
});

/** Stores reports that are not older than the known ones. Each window may occur only once among them. */
export async function upsertNewestLimits(pool: Pool, reports: readonly LimitReport[]): Promise<void> {
  await upsertedLimits.run(pool, [JSON.stringify(reports)]);
}

const limitReports = defineQuery({
  name: "select-limit-reports",
  row: {
    assistant: column.text.as<UsageAssistant>(),
    window: column.text.as<LimitedWindow>(),
    usedPercent: column.float,
    resetsAt: column.timestamp,
    reportedAt: column.timestamp,
  },
  text: `
    SELECT assistant, "window", used_percent AS "usedPercent", resets_at AS "resetsAt", reported_at AS "reportedAt"
    FROM assistant_limits WHERE resets_at > $1`,
});

/** The reports about windows that have not ended. */
export function selectLimitReports(pool: Pool, now: Date): Promise<LimitReport[]> {
  return limitReports.all(pool, [now]);
}
