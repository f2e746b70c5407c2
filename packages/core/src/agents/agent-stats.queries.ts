import type { Pool } from "@workspace/db";
import { bucketLabel, bucketOf, bucketsOfWindow, type StatisticsWindow } from "../platform/statistics-window.ts";
import type { RunStats } from "./agent-run.schema.ts";

/** Runs that ended as they should have, and those that did not; cancelled and running ones are neither. */
const SUCCEEDED = "status = 'success'";
const FAILED = "status IN ('error', 'budget_exceeded')";

/** The runs that were started in a window, of one agent or of all. */
export async function selectRunStats(pool: Pool, window: StatisticsWindow, agentId: string | null): Promise<RunStats> {
  const { rows } = await pool.query<RunStats>(
    `WITH runs AS MATERIALIZED (
       SELECT ${bucketOf("started_at", "day", "$3")} AS bucket, count(*) AS total,
         count(*) FILTER (WHERE ${SUCCEEDED}) AS success, count(*) FILTER (WHERE ${FAILED}) AS error,
         sum(cost_usd) AS cost, sum(duration_ms) AS duration, count(duration_ms) AS ended
       FROM agent_runs
       WHERE started_at >= $1 AND started_at <= $2 ${agentId === null ? "" : "AND agent_id = $4"}
       GROUP BY 1
     )
     SELECT totals.*, (SELECT json_agg(day ORDER BY date) FROM (${PER_DAY}) AS day) AS "dailyRuns"
     FROM (${TOTALS}) AS totals`,
    [window.from, window.to, window.zone, ...(agentId === null ? [] : [agentId])],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("A query of totals gave no row.");
  return row;
}

const TOTALS = `
  SELECT coalesce(sum(total), 0) AS "totalRuns",
    coalesce(round(100.0 * sum(success) / nullif(sum(success + error), 0), 2), 0) AS "successRate",
    coalesce(round(sum(duration) / nullif(sum(ended), 0), 2), 0) AS "avgDurationMs",
    coalesce(sum(cost), 0) AS "totalCostUsd"
  FROM runs`;

const PER_DAY = `
  SELECT ${bucketLabel("bucket", "day")} AS date, coalesce(success, 0) AS success, coalesce(error, 0) AS error,
    coalesce(total, 0) AS total, coalesce(cost, 0) AS "costUsd"
  FROM ${bucketsOfWindow("day", { from: "$1", to: "$2", zone: "$3" })} AS buckets LEFT JOIN runs USING (bucket)`;

/** How many agents there are, how many are enabled, and which are running now. */
export async function selectAgentCounts(
  pool: Pool,
): Promise<{ totalAgents: number; activeAgents: number; runningAgentIds: string[] }> {
  const { rows } = await pool.query<{ totalAgents: number; activeAgents: number; runningAgentIds: string[] }>(
    `SELECT count(*) AS "totalAgents", count(*) FILTER (WHERE enabled) AS "activeAgents",
       ARRAY(SELECT DISTINCT agent_id::text FROM agent_runs WHERE status = 'running' ORDER BY 1) AS "runningAgentIds"
     FROM agents`,
  );
  return rows[0] ?? { totalAgents: 0, activeAgents: 0, runningAgentIds: [] };
}
