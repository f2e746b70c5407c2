import type { Pool, PoolClient } from "@workspace/db";
import type { ModelCharge } from "../models/model-charge.ts";
import { toSearchPattern, toSearchText } from "../platform/fold-text.ts";
import { toDecimalUsd } from "../platform/money.ts";
import {
  bucketLabel,
  bucketOf,
  bucketsOfWindow,
  type Granularity,
  type StatisticsWindow,
} from "../platform/statistics-window.ts";
import type { ListUsage, UsageRecord, UsageSource, UsageStats } from "./usage.schema.ts";

/** The calls of one run, one answer or one extraction so far, or some more of them. */
export interface UsageEntry {
  /** Entries with one id add up to one record. */
  readonly id: string;
  readonly source: UsageSource;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly charge: ModelCharge;
  /** How long all of it has taken so far. */
  readonly durationMs: number;
  readonly happenedAt: Date;
}

/** Adds a call to the record with the entry's id, which it makes where there is none. */
export async function upsertUsage(client: PoolClient, entry: UsageEntry): Promise<void> {
  const { charge } = entry;
  await client.query(
    `INSERT INTO usage_records AS record (id, source, source_id, source_name, search_text, model, input_tokens,
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
    [
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
    ],
  );
}

const COLUMNS = `
  id, source, source_id AS "sourceId", source_name AS "sourceName", model, input_tokens AS "inputTokens",
  cached_input_tokens AS "cachedInputTokens", output_tokens AS "outputTokens", cost_usd AS "costUsd",
  is_cost_known AS "isCostKnown", duration_ms AS "durationMs", num_turns AS "numTurns", created_at AS "createdAt"`;

/** One page of the records since a time, newest first, and how many there are in all. */
export async function selectUsage(
  pool: Pool,
  { from, source, search, page, limit }: Omit<ListUsage, "period"> & { from: Date },
): Promise<{ records: UsageRecord[]; total: number }> {
  const conditions = ["created_at >= $1"];
  const values: unknown[] = [from];
  const bind = (value: unknown) => `$${values.push(value)}`;
  if (source !== undefined) conditions.push(`source = ${bind(source)}`);
  if (search !== undefined && search !== "") conditions.push(`search_text LIKE ${bind(toSearchPattern(search))}`);
  const where = `FROM usage_records WHERE ${conditions.join(" AND ")}`;
  const [counted, listed] = await Promise.all([
    pool.query<{ total: number }>(`SELECT count(*) AS total ${where}`, [...values]),
    pool.query<UsageRecord>(
      `SELECT ${COLUMNS} ${where} ORDER BY created_at DESC, id DESC LIMIT ${bind(limit)} OFFSET ${bind((page - 1) * limit)}`,
      values,
    ),
  ]);
  return { records: listed.rows, total: counted.rows[0]?.total ?? 0 };
}

/** Everything about a window in one pass over its records. */
export async function selectUsageStats(
  pool: Pool,
  window: StatisticsWindow,
  granularity: Granularity,
): Promise<UsageStats> {
  const { rows } = await pool.query<UsageStats>(
    `WITH records AS MATERIALIZED (
       SELECT ${bucketOf("created_at", granularity, "$3")} AS bucket, source, source_name, model, count(*) AS calls,
         sum(cost_usd) AS cost, sum(input_tokens) AS input, sum(output_tokens) AS output,
         count(*) FILTER (WHERE NOT is_cost_known) AS unknown
       FROM usage_records WHERE created_at >= $1 AND created_at <= $2
       GROUP BY 1, 2, 3, 4
     )
     SELECT totals.*,
       (SELECT json_agg(bucket_row ORDER BY date) FROM (${perBucket(granularity)}) AS bucket_row) AS "dailyUsage",
       (SELECT coalesce(json_agg(source_row), '[]') FROM (${consumptionBy("source", "source")}) AS source_row) AS "bySource",
       (SELECT coalesce(json_agg(model_row), '[]') FROM (
          ${consumptionBy("coalesce(model, 'Unknown')", "model")}) AS model_row) AS "byModel",
       (SELECT coalesce(json_agg(consumer), '[]') FROM (${TOP_CONSUMERS}) AS consumer) AS "topConsumers"
     FROM (${TOTALS}) AS totals`,
    [window.from, window.to, window.zone],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("A query of totals gave no row.");
  return row;
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

function perBucket(granularity: Granularity): string {
  const costOf = (source: UsageSource) => `coalesce(sum(cost) FILTER (WHERE source = '${source}'), 0)`;
  return `
    SELECT ${bucketLabel("bucket", granularity)} AS date, ${costOf("chat")} AS chat, ${costOf("agent")} AS agent,
      ${costOf("memory_extraction")} AS memory, coalesce(sum(cost), 0) AS "totalCost",
      coalesce(sum(input), 0) AS "inputTokens", coalesce(sum(output), 0) AS "outputTokens", coalesce(sum(calls), 0) AS calls
    FROM ${bucketsOfWindow(granularity, { from: "$1", to: "$2", zone: "$3" })} AS buckets
    LEFT JOIN records USING (bucket) GROUP BY bucket`;
}

/** What a record says so far; 0 where there is none. */
export async function selectUsageCost(db: Pool | PoolClient, id: string): Promise<number> {
  const { rows } = await db.query<{ costUsd: number }>(
    `SELECT cost_usd AS "costUsd" FROM usage_records WHERE id = $1`,
    [id],
  );
  return rows[0]?.costUsd ?? 0;
}
