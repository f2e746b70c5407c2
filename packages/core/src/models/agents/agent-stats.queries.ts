import { column, defineComposedQuery, defineQuery, type Pool, type RowOf } from "@workspace/db";
import { bucketLabel, bucketOf, bucketsOfWindow, type StatisticsWindow } from "../../platform/statistics-window.ts";
import { runStatsSchema, type RunStats } from "./agent-run.schema.ts";

/** Cancelled and running runs count as neither succeeded nor failed. */
const SUCCEEDED = "status = 'success'";
const FAILED = "status IN ('error', 'budget_exceeded')";

const TOTALS = `
  SELECT coalesce(sum(total), 0) AS "totalRuns",
    coalesce(round(100.0 * sum(success) / nullif(sum(success + error), 0), 2), 0) AS "successRate",
    coalesce(round(sum(duration) / nullif(sum(ended), 0), 2), 0) AS "avgDurationMs",
    coalesce(sum(cost), 0) AS "totalCostUsd"
  FROM runs`;

const perDay = (window: Record<"from" | "to" | "zone", string>) => `
  SELECT ${bucketLabel("bucket", "day")} AS date, coalesce(success, 0) AS success, coalesce(error, 0) AS error,
    coalesce(total, 0) AS total, coalesce(cost, 0) AS "costUsd"
  FROM ${bucketsOfWindow("day", window)} AS buckets LEFT JOIN runs USING (bucket)`;

const runStats = defineComposedQuery({
  name: "select-run-stats",
  row: {
    totalRuns: column.numeric.neverNull,
    successRate: column.numeric.neverNull,
    avgDurationMs: column.numeric.neverNull,
    totalCostUsd: column.numeric.neverNull,
    dailyRuns: column.json.neverNull,
  },
  compose: ({ window, agentId }: { window: StatisticsWindow; agentId: string | null }, bind) => {
    const { from, to, zone } = { from: bind(window.from), to: bind(window.to), zone: bind(window.zone) };
    return `
      WITH runs AS MATERIALIZED (
        SELECT ${bucketOf("started_at", "day", zone)} AS bucket, count(*) AS total,
          count(*) FILTER (WHERE ${SUCCEEDED}) AS success, count(*) FILTER (WHERE ${FAILED}) AS error,
          sum(cost_usd) AS cost, sum(duration_ms) AS duration, count(duration_ms) AS ended
        FROM agent_runs
        WHERE started_at >= ${from} AND started_at <= ${to} ${agentId === null ? "" : `AND agent_id = ${bind(agentId)}`}
        GROUP BY 1
      )
      SELECT totals.*, (SELECT json_agg(day ORDER BY date) FROM (${perDay({ from, to, zone })}) AS day) AS "dailyRuns"
      FROM (${TOTALS}) AS totals`;
  },
  examples: [
    { window: { from: new Date(0), to: new Date(0), zone: "UTC" }, agentId: "" },
    { window: { from: new Date(0), to: new Date(0), zone: "UTC" }, agentId: null },
  ],
});

/** Statistics of the runs started in a window, of one agent or of all. */
export async function selectRunStats(pool: Pool, window: StatisticsWindow, agentId: string | null): Promise<RunStats> {
  const [row] = await runStats.all(pool, { window, agentId });
  // The check of statements cannot see the keys within the JSON.
  return runStatsSchema.parse(row);
}

const AGENT_COUNTS = {
  totalAgents: column.safeInteger.neverNull,
  activeAgents: column.safeInteger.neverNull,
  runningAgentIds: column.texts.neverNull,
};

const agentCounts = defineQuery({
  name: "select-agent-counts",
  row: AGENT_COUNTS,
  text: `
    SELECT count(*) AS "totalAgents", count(*) FILTER (WHERE enabled) AS "activeAgents",
      ARRAY(SELECT DISTINCT agent_id::text FROM agent_runs WHERE status = 'running' ORDER BY 1) AS "runningAgentIds"
    FROM agents`,
});

/** How many agents there are, how many are enabled, and which are running now. */
export function selectAgentCounts(pool: Pool): Promise<RowOf<typeof AGENT_COUNTS>> {
  return agentCounts.one(pool);
}
