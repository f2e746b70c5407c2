import {
  column,
  defineCommand,
  defineComposedQuery,
  defineQuery,
  RunStatus,
  RunTrigger,
  type PoolClient,
  type Queryable,
} from "@workspace/db";
import { toDecimalUsd } from "../../platform/money.ts";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { AbandonedWork } from "../../platform/process-registry.ts";
import type { ContentBlock } from "../gateway/content-block.ts";
import type { ModelCharge } from "../gateway/model-charge.ts";
import type { AgentRun, AgentRunDetail, ListRuns } from "./agent-run.schema.ts";

/** The status of a run that has ended. */
export type EndStatus = Exclude<RunStatus, "running">;

const RUN = {
  id: column.uuid,
  agentId: column.uuid,
  status: column.oneOf(RunStatus),
  trigger: column.oneOf(RunTrigger),
  output: column.text,
  errorMessage: column.text.nullable,
  model: column.text.nullable,
  costUsd: column.numeric,
  isCostKnown: column.boolean,
  inputTokens: column.integer,
  cachedInputTokens: column.integer,
  outputTokens: column.integer,
  numTurns: column.integer,
  startedAt: column.timestamp,
  completedAt: column.timestamp.nullable,
  durationMs: column.integer.nullable,
};

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

interface RunSearch extends Pick<ListRuns, "id" | "status">, PageRange<TimeAndId> {
  readonly from: Date | undefined;
}

const runsOfAgent = defineComposedQuery({
  name: "select-runs",
  row: RUN,
  compose: ({ id, status, limit, from, after }: RunSearch, bind) => {
    const conditions = [`r.agent_id = ${bind(id)}`];
    if (from !== undefined) conditions.push(`r.started_at >= ${bind(from)}`);
    if (status !== undefined) conditions.push(`r.status = ANY(${bind(status)}::run_status[])`);
    if (after !== undefined) {
      conditions.push(`(r.started_at, r.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    }
    return `
      SELECT ${COLUMNS} FROM agent_runs r WHERE ${conditions.join(" AND ")}
      ORDER BY r.started_at DESC, r.id DESC LIMIT ${bind(limit)}`;
  },
  examples: [{ id: "", from: new Date(0), status: ["running"], after: ["", ""], limit: 1 }],
});

export function selectRuns(db: Queryable, search: RunSearch): Promise<AgentRun[]> {
  return runsOfAgent.all(db, search);
}

const runWithSteps = defineQuery({
  name: "select-run",
  row: { ...RUN, steps: column.json.as<ContentBlock[]>() },
  text: `SELECT ${COLUMNS}, r.steps FROM agent_runs r WHERE r.id = $1 AND r.agent_id = $2`,
});

export function selectRun(db: Queryable, agentId: string, runId: string): Promise<AgentRunDetail | null> {
  return runWithSteps.first(db, [runId, agentId]);
}

const newRun = defineCommand({
  name: "insert-run",
  text: `
    INSERT INTO agent_runs (id, agent_id, status, trigger, process_id, model, started_at)
    VALUES ($1, $2, 'running', $3, $4, $5, $6)`,
});

export async function insertRun(
  db: Queryable,
  run: { id: string; agentId: string; trigger: RunTrigger; processId: string; model: string | null; startedAt: Date },
): Promise<void> {
  await newRun.run(db, [run.id, run.agentId, run.trigger, run.processId, run.model, run.startedAt]);
}

/** The output and steps of a run so far. */
export interface RunProgress {
  readonly runId: string;
  /** The process that executes it. */
  readonly processId: string;
  readonly output: string;
  readonly steps: readonly ContentBlock[];
}

const runProgress = defineCommand({
  name: "update-run-progress",
  text: "UPDATE agent_runs SET output = $2, steps = $3 WHERE id = $1 AND process_id = $4",
});

/** Stores the progress of a run for people to see. Does nothing if the run belongs to another process. */
export async function updateRunProgress(
  db: Queryable,
  { runId, processId, output, steps }: RunProgress,
): Promise<void> {
  await runProgress.run(db, [runId, output, JSON.stringify(steps), processId]);
}

const takenOverRun = defineCommand({
  name: "is-run-taken-over",
  isPrepared: true,
  text: "SELECT FROM agent_runs WHERE id = $1 AND process_id IS DISTINCT FROM $2",
});

/** Whether other processes have taken over a run because the lease of the one executing it expired. */
export async function isRunTakenOver(db: Queryable, runId: string, processId: string): Promise<boolean> {
  return (await takenOverRun.run(db, [runId, processId])) === 1;
}

/** How to end a run. */
export interface RunEnd {
  readonly status: EndStatus;
  readonly errorMessage: string | null;
}

const NO_CHARGE: Pick<ModelCharge, "usage" | "cost" | "isCostKnown"> = {
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  cost: 0n,
  isCostKnown: true,
};

/** The result of saving a run. A deleted run counts as `saved`, because its cost still has to be booked. */
export type SavedRun = "saved" | "ended" | "taken over";

const savedRun = defineQuery({
  name: "save-run",
  row: { isTakenOver: column.boolean.neverNull, hasEnded: column.boolean.nullable },
  isPrepared: true,
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
});

/**
 * Stores the progress of a run, adds the cost of a call, and ends the run if `end` is given. A run ends only once: `ended`
 * means that it was this call. The progress and cost of a run that was cancelled in the meantime are still stored; a run that
 * was taken over is left unchanged.
 *
 * One statement, because a second update of the row in one transaction would wait for the agent, while a transaction that
 * deletes the agent waits for the row.
 */
export async function saveRun(
  db: PoolClient,
  { runId, processId, output, steps }: RunProgress,
  { charge, end, now }: { charge: ModelCharge | null; end: RunEnd | null; now: Date },
): Promise<SavedRun> {
  const { usage, cost, isCostKnown } = charge ?? NO_CHARGE;
  const row = await savedRun.first(db, [
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
  ]);
  if (row?.isTakenOver === true) return "taken over";
  return row?.hasEnded === true ? "ended" : "saved";
}

const cancelledRuns = defineQuery({
  name: "cancel-runs",
  row: { id: column.uuid },
  text: `
    UPDATE agent_runs SET status = 'cancelled', error_message = $2, ${endedAt("$3")}
    WHERE agent_id = $1 AND status = 'running' RETURNING id`,
});

/** Ends all running runs of an agent as cancelled, and returns their ids. */
export async function cancelRuns(db: Queryable, agentId: string, message: string, now: Date): Promise<string[]> {
  return (await cancelledRuns.all(db, [agentId, message, now])).map(({ id }) => id);
}

const endedAbandonedRuns = defineQuery({
  name: "end-abandoned-runs",
  row: { agentId: column.uuid, agentName: column.text },
  text: `
    UPDATE agent_runs r SET status = 'error', error_message = $1, process_id = NULL, ${endedAt("$2")}
    FROM agents a
    WHERE r.status = 'running' AND a.id = r.agent_id AND (
      NOT EXISTS (SELECT FROM server_processes p WHERE p.id = r.process_id)
      OR (r.process_id = $3 AND r.id <> ALL($4::uuid[]) AND r.started_at < $5)
    )
    RETURNING a.id AS "agentId", a.name AS "agentName"`,
});

/** Ends abandoned runs, detaches them from their processes, and returns the agents they belong to. */
export function endAbandonedRuns(
  db: Queryable,
  { processId, activeIds, lostBefore }: AbandonedWork,
  { message, now }: { message: string; now: Date },
): Promise<{ agentId: string; agentName: string }[]> {
  return endedAbandonedRuns.all(db, [message, now, processId, activeIds, lostBefore]);
}

const endedRuns = defineQuery({
  name: "select-ended-runs",
  row: { id: column.uuid.neverNull },
  text: `
    SELECT asked.id FROM unnest($1::uuid[]) AS asked (id)
    LEFT JOIN agent_runs r ON r.id = asked.id WHERE r.status IS DISTINCT FROM 'running'`,
});

/** Those of the given runs that are no longer running. */
export async function selectEndedRuns(db: Queryable, runIds: readonly string[]): Promise<string[]> {
  return (await endedRuns.all(db, [runIds])).map(({ id }) => id);
}
