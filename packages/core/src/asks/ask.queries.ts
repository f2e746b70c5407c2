import type { Pool, PoolClient } from "@workspace/db";
import type { Exchange } from "../agents/agent-prompt.ts";
import type { RunStatus } from "../agents/agent-run.schema.ts";

type Queryable = Pool | PoolClient;

/** A question that was put to an agent, as it is stored. Its id is that of the run that answers it. */
export interface StoredAsk {
  readonly id: string;
  readonly apiKeyId: string;
  readonly idempotencyKey: string | null;
  readonly requestHash: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly conversationId: string;
  readonly message: string;
  /** Null while a credit is held for it. */
  readonly creditsUsed: number | null;
  readonly creditsRemaining: number | null;
}

const COLUMNS = `
  id, api_key_id AS "apiKeyId", idempotency_key AS "idempotencyKey", request_hash AS "requestHash",
  agent_id AS "agentId", agent_name AS "agentName", conversation_id AS "conversationId", message,
  credits_used AS "creditsUsed", credits_remaining AS "creditsRemaining"`;

export type NewAsk = Omit<StoredAsk, "creditsUsed" | "creditsRemaining"> & { readonly createdAt: Date };

/** False, and nothing is stored, where the key has sent this `idempotencyKey` before. */
export async function insertAsk(db: PoolClient, ask: NewAsk): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO agent_asks
       (id, api_key_id, idempotency_key, request_hash, agent_id, agent_name, conversation_id, message, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (api_key_id, idempotency_key) DO NOTHING`,
    [
      ask.id,
      ask.apiKeyId,
      ask.idempotencyKey,
      ask.requestHash,
      ask.agentId,
      ask.agentName,
      ask.conversationId,
      ask.message,
      ask.createdAt,
    ],
  );
  return rowCount === 1;
}

export async function selectAsk(db: Queryable, id: string): Promise<StoredAsk | null> {
  const { rows } = await db.query<StoredAsk>(`SELECT ${COLUMNS} FROM agent_asks WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

export async function selectAskByIdempotencyKey(
  db: Queryable,
  apiKeyId: string,
  idempotencyKey: string,
): Promise<StoredAsk | null> {
  const { rows } = await db.query<StoredAsk>(
    `SELECT ${COLUMNS} FROM agent_asks WHERE api_key_id = $1 AND idempotency_key = $2`,
    [apiKeyId, idempotencyKey],
  );
  return rows[0] ?? null;
}

/** An ask that a credit is held for, locked until the transaction ends; null where it is charged already. */
export async function lockUnsettledAsk(db: PoolClient, id: string): Promise<StoredAsk | null> {
  const { rows } = await db.query<StoredAsk>(
    `SELECT ${COLUMNS} FROM agent_asks WHERE id = $1 AND credits_used IS NULL FOR UPDATE`,
    [id],
  );
  return rows[0] ?? null;
}

export async function deleteAsk(db: PoolClient, id: string): Promise<void> {
  await db.query("DELETE FROM agent_asks WHERE id = $1", [id]);
}

export async function settleAsk(
  db: PoolClient,
  { id, creditsUsed, creditsRemaining }: { id: string; creditsUsed: number; creditsRemaining: number },
): Promise<void> {
  await db.query("UPDATE agent_asks SET credits_used = $2, credits_remaining = $3 WHERE id = $1", [
    id,
    creditsUsed,
    creditsRemaining,
  ]);
}

/** Asks that a credit is still held for although their runs ended before a time, or never came to be. */
export async function selectAbandonedAsks(db: Queryable, before: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT a.id FROM agent_asks a LEFT JOIN agent_runs r ON r.id = a.id
     WHERE a.credits_used IS NULL AND a.created_at < $1 AND (r.id IS NULL OR r.completed_at < $1)`,
    [before],
  );
  return rows.map(({ id }) => id);
}

export interface RunCost {
  readonly costNanoUsd: number | bigint;
  readonly isCostKnown: boolean;
}

/** What a run has cost. Read from the usage, which outlives the run; null where nothing was spent. */
export async function selectRunCost(db: Queryable, runId: string): Promise<RunCost | null> {
  const { rows } = await db.query<RunCost>(
    `SELECT (cost_usd * 1000000000)::int8 AS "costNanoUsd", is_cost_known AS "isCostKnown"
     FROM usage_records WHERE id = $1`,
    [runId],
  );
  return rows[0] ?? null;
}

/** How the run of an ask ended. */
export interface EndedRun {
  readonly status: RunStatus;
  readonly output: string;
  readonly errorMessage: string | null;
  readonly costUsd: number;
  readonly isCostKnown: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export async function selectEndedRun(db: Queryable, id: string): Promise<EndedRun | null> {
  const { rows } = await db.query<EndedRun>(
    `SELECT status, output, error_message AS "errorMessage", cost_usd AS "costUsd", is_cost_known AS "isCostKnown",
       input_tokens AS "inputTokens", output_tokens AS "outputTokens"
     FROM agent_runs WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** The latest exchanges of a conversation that came to an answer, oldest first. */
export async function selectExchanges(db: Queryable, conversationId: string, limit: number): Promise<Exchange[]> {
  const { rows } = await db.query<Exchange>(
    `SELECT a.message, r.output AS response FROM agent_asks a JOIN agent_runs r ON r.id = a.id
     WHERE a.conversation_id = $1 AND a.credits_used IS NOT NULL AND r.status = 'success' ORDER BY a.created_at DESC, a.id DESC LIMIT $2`,
    [conversationId, limit],
  );
  return rows.toReversed();
}
