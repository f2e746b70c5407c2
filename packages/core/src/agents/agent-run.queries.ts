import type { Pool, PoolClient } from "@workspace/db";
import type { ContentBlock } from "../models/content-block.ts";
import type { ModelCharge } from "../models/model-charge.ts";
import type { AbandonedWork } from "../platform/process-registry.ts";
import { toDecimalUsd } from "../platform/money.ts";
import type { AgentRun, AgentRunDetail, ListRuns, RunStatus, RunTrigger } from "./agent-run.schema.ts";

type Queryable = Pool | PoolClient;

/** How a run ends. */
export type EndStatus = Exclude<RunStatus, "running">;

const COLUMNS = `
  r.id, r.agent_id AS "agentId", r.status, r.trigger, r.output, r.error_message AS "errorMessage", r.model,
  r.cost_usd AS "costUsd", r.is_cost_known AS "isCostKnown", r.input_tokens AS "inputTokens",
  r.cached_input_tokens AS "cachedInputTokens", r.output_tokens AS "outputTokens", r.num_turns AS "numTurns",
  r.started_at AS "startedAt", r.completed_at AS "completedAt", r.duration_ms AS "durationMs"`;

/** SQL: how long a run has taken until the time in the parameter. */
const durationUntil = (parameter: string) =>
  `GREATEST(0, extract(epoch FROM ${parameter}::timestamptz - started_at) * 1000)::int`;

/** SQL: marks a run as ended at the time in the parameter. */
const endedAt = (parameter: string) => `completed_at = ${parameter}, duration_ms = ${durationUntil(parameter)}`;

export async function selectRuns(
  pool: Pool,
  {
    id,
    status,
    limit,
    from,
    after,
  }: Pick<ListRuns, "id" | "status" | "limit"> & {
    from: Date | undefined;
    after: readonly [startedAt: string, id: string] | undefined;
  },
): Promise<AgentRun[]> {
  const conditions = ["r.agent_id = $1"];
  const values: unknown[] = [id];
  const bind = (value: unknown) => `$${values.push(value)}`;
  if (from !== undefined) conditions.push(`r.started_at >= ${bind(from)}`);
  if (status !== undefined) conditions.push(`r.status = ANY(${bind(status)}::run_status[])`);
  if (after !== undefined) {
    conditions.push(`(r.started_at, r.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
  }
  const { rows } = await pool.query<AgentRun>(
    `SELECT ${COLUMNS} FROM agent_runs r WHERE ${conditions.join(" AND ")}
     ORDER BY r.started_at DESC, r.id DESC LIMIT ${bind(limit)}`,
    values,
  );
  return rows;
}

export async function selectRun(db: Queryable, agentId: string, runId: string): Promise<AgentRunDetail | null> {
  const { rows } = await db.query<AgentRunDetail>(
    `SELECT ${COLUMNS}, r.steps FROM agent_runs r WHERE r.id = $1 AND r.agent_id = $2`,
    [runId, agentId],
  );
  return rows[0] ?? null;
}

export async function insertRun(
  db: Queryable,
  run: { id: string; agentId: string; trigger: RunTrigger; processId: string; model: string | null; startedAt: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO agent_runs (id, agent_id, status, trigger, process_id, model, started_at)
     VALUES ($1, $2, 'running', $3, $4, $5, $6)`,
    [run.id, run.agentId, run.trigger, run.processId, run.model, run.startedAt],
  );
}

/** What a run has come to by now. */
export interface RunProgress {
  readonly runId: string;
  /** The process that executes it. */
  readonly processId: string;
  readonly output: string;
  readonly steps: readonly ContentBlock[];
}

/** Keeps what a run has said, for people to see while it is under way; nothing where the run is another process's. */
export async function updateRunProgress(
  db: Queryable,
  { runId, processId, output, steps }: RunProgress,
): Promise<void> {
  await db.query("UPDATE agent_runs SET output = $2, steps = $3 WHERE id = $1 AND process_id = $4", [
    runId,
    output,
    JSON.stringify(steps),
    processId,
  ]);
}

/** Whether a run has been taken from the process that executes it, because the process's lease ran out. */
export async function isRunTakenOver(db: Queryable, runId: string, processId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "is-run-taken-over",
    text: "SELECT FROM agent_runs WHERE id = $1 AND process_id IS DISTINCT FROM $2",
    values: [runId, processId],
  });
  return rowCount === 1;
}

/** How a run is to be ended. */
export interface RunEnd {
  readonly status: EndStatus;
  readonly errorMessage: string | null;
}

const NO_CHARGE: Pick<ModelCharge, "usage" | "cost" | "isCostKnown"> = {
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  cost: 0n,
  isCostKnown: true,
};

/** What has become of a run that was to be saved. One that was deleted is `saved`: what it cost is still to be booked. */
export type SavedRun = "saved" | "ended" | "taken over";

/**
 * Keeps what a run has come to, adds the cost of a call, and ends it where it is to be ended. A run ends once, whoever comes
 * first; `ended` if that was this call. What it said and cost is kept also of one that was cancelled meanwhile. A run that was
 * taken over is left as it is.
 *
 * One statement, because a second update of the row in one transaction would wait for the agent, and whoever deletes the
 * agent waits for the row.
 */
export async function saveRun(
  db: PoolClient,
  { runId, processId, output, steps }: RunProgress,
  { charge, end, now }: { charge: ModelCharge | null; end: RunEnd | null; now: Date },
): Promise<SavedRun> {
  const { usage, cost, isCostKnown } = charge ?? NO_CHARGE;
  const { rows } = await db.query<{ isTakenOver: boolean; hasEnded: boolean | null }>({
    name: "save-run",
    text: `
      WITH before AS (
        SELECT id, status = 'running' AND $11::run_status IS NOT NULL AS ends, process_id IS DISTINCT FROM $13 AS is_lost
        FROM agent_runs WHERE id = $1 FOR UPDATE
      ), updated AS (
      UPDATE agent_runs SET output = $2, steps = $3, cost_usd = cost_usd + $4, is_cost_known = is_cost_known AND $5,
        input_tokens = input_tokens + $6, cached_input_tokens = cached_input_tokens + $7,
        output_tokens = output_tokens + $8, num_turns = num_turns + $9,
        status = CASE WHEN ends THEN $11 ELSE status END,
        error_message = CASE WHEN ends THEN $12 ELSE error_message END,
        completed_at = CASE WHEN ends THEN $10 ELSE completed_at END,
        duration_ms = CASE WHEN ends THEN ${durationUntil("$10")} ELSE duration_ms END
      FROM before WHERE agent_runs.id = before.id AND NOT is_lost
      RETURNING ends)
      SELECT is_lost AS "isTakenOver", (SELECT ends FROM updated) AS "hasEnded" FROM before`,
    values: [
      runId,
      output,
      JSON.stringify(steps),
      toDecimalUsd(cost),
      isCostKnown,
      usage.inputTokens,
      usage.cachedInputTokens,
      usage.outputTokens,
      charge === null ? 0 : 1,
      now,
      end?.status ?? null,
      end?.errorMessage ?? null,
      processId,
    ],
  });
  const [row] = rows;
  if (row?.isTakenOver === true) return "taken over";
  return row?.hasEnded === true ? "ended" : "saved";
}

/** Ends every run of an agent that is running as cancelled. */
export async function cancelRuns(db: Queryable, agentId: string, message: string, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE agent_runs SET status = 'cancelled', error_message = $2, ${endedAt("$3")}
     WHERE agent_id = $1 AND status = 'running' RETURNING id`,
    [agentId, message, now],
  );
  return rows.map(({ id }) => id);
}

/** Ends abandoned runs, takes them from their processes, and answers which agents they belong to. */
export async function endAbandonedRuns(
  db: Queryable,
  { processId, activeIds, lostBefore }: AbandonedWork,
  { message, now }: { message: string; now: Date },
): Promise<{ agentId: string; agentName: string }[]> {
  const { rows } = await db.query<{ agentId: string; agentName: string }>(
    `UPDATE agent_runs r SET status = 'error', error_message = $1, process_id = NULL, ${endedAt("$2")}
     FROM agents a
     WHERE r.status = 'running' AND a.id = r.agent_id AND (
       NOT EXISTS (SELECT FROM server_processes p WHERE p.id = r.process_id)
       OR (r.process_id = $3 AND r.id <> ALL($4::uuid[]) AND r.started_at < $5)
     )
     RETURNING a.id AS "agentId", a.name AS "agentName"`,
    [message, now, processId, activeIds, lostBefore],
  );
  return rows;
}

/** Those of the given runs that are not running any more. */
export async function selectEndedRuns(db: Queryable, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT asked.id FROM unnest($1::uuid[]) AS asked (id)
     LEFT JOIN agent_runs r ON r.id = asked.id WHERE r.status IS DISTINCT FROM 'running'`,
    [runIds],
  );
  return rows.map(({ id }) => id);
}
