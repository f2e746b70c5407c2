import {
  column,
  defineCommand,
  defineComposedQuery,
  defineQuery,
  UsageSource,
  type Bind,
  type Pool,
  type PoolClient,
  type Queryable,
} from "@workspace/db";
import { toSearchPattern, toSearchText } from "../../platform/fold-text.ts";
import { toDecimalUsd, type NanoUsd } from "../../platform/money.ts";
import {
  bucketLabel,
  bucketOf,
  bucketsOfWindow,
  type Granularity,
  type StatisticsWindow,
} from "../../platform/statistics-window.ts";
import type { TokenUsage } from "./token-price.ts";
import { usageStatsSchema, type ListUsage, type UsageRecord, type UsageStats } from "./usage.schema.ts";

/** What model calls have used and cost. */
export interface TokenCharge {
  readonly model: string;
  readonly usage: TokenUsage;
  readonly cost: NanoUsd;
  /** False if the price is unknown, or if the endpoint reported no usage and the tokens are estimated. */
  readonly isCostKnown: boolean;
}

/** One or more calls of a run, an answer or an extraction. */
export interface UsageEntry {
  /** Entries with the same id add up to one record. */
  readonly id: string;
  readonly source: UsageSource;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly charge: TokenCharge;
  /** How long all calls so far have taken. */
  readonly durationMs: number;
  readonly happenedAt: Date;
}

const addedUsage = defineCommand({
  name: "upsert-usage",
  text: `
    INSERT INTO usage_records AS record (id, source, source_id, source_name, search_text, model, input_tokens,
      cached_input_tokens, output_tokens, cost_usd, is_cost_known, duration_ms, num_turns, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1, $13)
    ON CONFLICT (id) DO UPDATE SET
      input_tokens = record.input_tokens + EXCLUDED.input_tokens,
      cached_input_tokens = record.cached_input_tokens + EXCLUDED.cached_input_tokens,
      output_tokens = record.output_tokens + EXCLUDED.output_tokens,
      cost_usd = record.cost_usd + EXCLUDED.cost_usd,
      is_cost_known = record.is_cost_known AND EXCLUDED.is_cost_known,
      duration_ms = EXCLUDED.duration_ms,
      num_turns = record.num_turns + 1`,
});

/** Adds a call to the record with the entry's id, which is created if necessary. */
export async function upsertUsage(client: PoolClient, entry: UsageEntry): Promise<void> {
  const { charge } = entry;
  await addedUsage.run(client, [
    entry.id,
    entry.source,
    entry.sourceId,
    entry.sourceName,
    toSearchText(entry.sourceName),
    charge.model,
    charge.usage.inputTokens,
    charge.usage.cachedInputTokens,
    charge.usage.outputTokens,
    toDecimalUsd(charge.cost),
    charge.isCostKnown,
    entry.durationMs,
    entry.happenedAt,
  ]);
}

type UsageFilter = Pick<ListUsage, "source" | "search"> & { from: Date };

/** SQL: the records that match all filters. */
function matchingRecords({ from, source, search }: UsageFilter, bind: Bind): string {
  const conditions = [`created_at >= ${bind(from)}`];
  if (source !== undefined) conditions.push(`source = ${bind(source)}`);
  if (search !== undefined && search !== "") conditions.push(`search_text LIKE ${bind(toSearchPattern(search))}`);
  return `FROM usage_records WHERE ${conditions.join(" AND ")}`;
}

const recordCount = defineComposedQuery({
  name: "count-usage",
  row: { total: column.safeInteger.neverNull },
  compose: (filter: UsageFilter, bind) => `SELECT count(*) AS total ${matchingRecords(filter, bind)}`,
  examples: [{ from: new Date(0), source: "chat", search: "a" }],
});

const recordsByAge = defineComposedQuery({
  name: "select-usage",
  row: {
    id: column.uuid,
    source: column.oneOf(UsageSource),
    sourceId: column.text.nullable,
    sourceName: column.text.nullable,
    model: column.text.nullable,
    inputTokens: column.integer,
    cachedInputTokens: column.integer,
    outputTokens: column.integer,
    costUsd: column.numeric,
    isCostKnown: column.boolean,
    durationMs: column.integer.nullable,
    numTurns: column.integer.nullable,
    createdAt: column.timestamp,
  },
  compose: ({ limit, page, ...filter }: UsageFilter & Pick<ListUsage, "limit" | "page">, bind) => `
    SELECT id, source, source_id AS "sourceId", source_name AS "sourceName", model, input_tokens AS "inputTokens",
      cached_input_tokens AS "cachedInputTokens", output_tokens AS "outputTokens", cost_usd AS "costUsd",
      is_cost_known AS "isCostKnown", duration_ms AS "durationMs", num_turns AS "numTurns", created_at AS "createdAt"
    ${matchingRecords(filter, bind)}
    ORDER BY created_at DESC, id DESC LIMIT ${bind(limit)} OFFSET ${bind((page - 1) * limit)}`,
  examples: [{ from: new Date(0), source: "chat", search: "a", limit: 1, page: 1 }],
});

/** One page of the records since a time, newest first, and their total number. */
export async function selectUsage(
  pool: Pool,
  list: Omit<ListUsage, "period"> & { from: Date },
): Promise<{ records: UsageRecord[]; total: number }> {
  const [[counted], records] = await Promise.all([recordCount.all(pool, list), recordsByAge.all(pool, list)]);
  return { records, total: counted?.total ?? 0 };
}

const TOTALS = `
  SELECT coalesce(sum(cost), 0) AS "totalCostUsd", coalesce(sum(input), 0) AS "totalInputTokens",
    coalesce(sum(output), 0) AS "totalOutputTokens", coalesce(sum(calls), 0) AS "totalCalls",
    coalesce(round(sum(cost) / nullif(sum(calls), 0), 9), 0) AS "avgCostPerCall",
    coalesce(sum(unknown), 0) AS "callsOfUnknownCost"
  FROM records`;

const TOP_CONSUMERS = `
  SELECT coalesce(source_name, 'Unknown') AS name, source, sum(cost) AS cost, sum(calls) AS calls
  FROM records GROUP BY 1, 2 ORDER BY cost DESC, calls DESC, name LIMIT 10`;

function consumptionBy(key: string, name: string): string {
  return `
    SELECT ${key} AS ${name}, sum(cost) AS cost, sum(calls) AS calls, sum(input + output) AS tokens
    FROM records GROUP BY 1 ORDER BY cost DESC, calls DESC, 1`;
}

function perBucket(granularity: Granularity, window: Record<"from" | "to" | "zone", string>): string {
  const costOf = (...sources: UsageSource[]) =>
    `coalesce(sum(cost) FILTER (WHERE source IN (${sources.map((source) => `'${source}'`).join(", ")})), 0)`;
  return `
    SELECT ${bucketLabel("bucket", granularity)} AS date, ${costOf("chat")} AS chat, ${costOf("agent")} AS agent,
      ${costOf("memory_extraction", "memory_embedding")} AS memory, coalesce(sum(cost), 0) AS "totalCost",
      coalesce(sum(input), 0) AS "inputTokens", coalesce(sum(output), 0) AS "outputTokens", coalesce(sum(calls), 0) AS calls
    FROM ${bucketsOfWindow(granularity, window)} AS buckets
    LEFT JOIN records USING (bucket) GROUP BY bucket`;
}

const stats = defineComposedQuery({
  name: "select-usage-stats",
  row: {
    totalCostUsd: column.numeric.neverNull,
    totalInputTokens: column.numeric.neverNull,
    totalOutputTokens: column.numeric.neverNull,
    totalCalls: column.numeric.neverNull,
    avgCostPerCall: column.numeric.neverNull,
    callsOfUnknownCost: column.numeric.neverNull,
    dailyUsage: column.json.neverNull,
    bySource: column.json.neverNull,
    byModel: column.json.neverNull,
    topConsumers: column.json.neverNull,
  },
  compose: ({ window, granularity }: { window: StatisticsWindow; granularity: Granularity }, bind) => {
    const bound = { from: bind(window.from), to: bind(window.to), zone: bind(window.zone) };
    return `
      WITH records AS MATERIALIZED (
        SELECT ${bucketOf("created_at", granularity, bound.zone)} AS bucket, source, source_name, model, count(*) AS calls,
          sum(cost_usd) AS cost, sum(input_tokens) AS input, sum(output_tokens) AS output,
          count(*) FILTER (WHERE NOT is_cost_known) AS unknown
        FROM usage_records WHERE created_at >= ${bound.from} AND created_at <= ${bound.to}
        GROUP BY 1, 2, 3, 4
      )
      SELECT totals.*,
        (SELECT json_agg(bucket_row ORDER BY date) FROM (${perBucket(granularity, bound)}) AS bucket_row) AS "dailyUsage",
        (SELECT coalesce(json_agg(source_row), '[]') FROM (${consumptionBy("source", "source")}) AS source_row) AS "bySource",
        (SELECT coalesce(json_agg(model_row), '[]') FROM (
           ${consumptionBy("coalesce(model, 'Unknown')", "model")}) AS model_row) AS "byModel",
        (SELECT coalesce(json_agg(consumer), '[]') FROM (${TOP_CONSUMERS}) AS consumer) AS "topConsumers"
      FROM (${TOTALS}) AS totals`;
  },
  examples: [
    { window: { from: new Date(0), to: new Date(0), zone: "UTC" }, granularity: "day" },
    { window: { from: new Date(0), to: new Date(0), zone: "UTC" }, granularity: "hour" },
  ],
});

/** All statistics of a window, in one pass over its records. */
export async function selectUsageStats(
  pool: Pool,
  window: StatisticsWindow,
  granularity: Granularity,
): Promise<UsageStats> {
  const [row] = await stats.all(pool, { window, granularity });
  // The check of statements cannot see the keys within the JSON.
  return usageStatsSchema.parse(row);
}

const costOfRecord = defineQuery({
  name: "select-usage-cost",
  row: { costUsd: column.numeric, isCostKnown: column.boolean },
  text: `SELECT cost_usd AS "costUsd", is_cost_known AS "isCostKnown" FROM usage_records WHERE id = $1`,
});

/** The cost recorded so far; null if there is no record. */
export function selectUsageCost(db: Queryable, id: string): Promise<{ costUsd: number; isCostKnown: boolean } | null> {
  return costOfRecord.first(db, [id]);
}
