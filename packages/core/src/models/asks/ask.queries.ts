import { column, defineCommand, defineQuery, RunStatus } from "@workspace/db";
import type { PoolClient, Queryable, RowOf } from "@workspace/db";
import type { Exchange } from "../agents/agent-prompt.ts";

/** A stored question to an agent. Its id is that of the run that answers it. */
const ASK = {
  id: column.uuid,
  apiKeyId: column.uuid,
  idempotencyKey: column.text.nullable,
  requestHash: column.text,
  agentId: column.uuid,
  agentName: column.text,
  conversationId: column.uuid,
  message: column.text,
  /** Null while a credit is held for it. */
  creditsUsed: column.integer.nullable,
  creditsRemaining: column.integer.nullable,
};
export type StoredAsk = Readonly<RowOf<typeof ASK>>;

const COLUMNS = `
  id, api_key_id AS "apiKeyId", idempotency_key AS "idempotencyKey", request_hash AS "requestHash",
  agent_id AS "agentId", agent_name AS "agentName", conversation_id AS "conversationId", message,
  credits_used AS "creditsUsed", credits_remaining AS "creditsRemaining"`;

export type NewAsk = Omit<StoredAsk, "creditsUsed" | "creditsRemaining"> & { readonly createdAt: Date };

const newAsk = defineCommand({
  name: "insert-ask",
  text: `
    INSERT INTO agent_asks
      (id, api_key_id, idempotency_key, request_hash, agent_id, agent_name, conversation_id, message, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (api_key_id, idempotency_key) DO NOTHING`,
});

/** Returns false and stores nothing if the API key has used this `idempotencyKey` before. */
export async function insertAsk(db: PoolClient, ask: NewAsk): Promise<boolean> {
  const added = await newAsk.run(db, [
    ask.id,
    ask.apiKeyId,
    ask.idempotencyKey,
    ask.requestHash,
    ask.agentId,
    ask.agentName,
    ask.conversationId,
    ask.message,
    ask.createdAt,
  ]);
  return added === 1;
}

const askById = defineQuery({
  name: "select-ask",
  row: ASK,
  text: `SELECT ${COLUMNS} FROM agent_asks WHERE id = $1`,
});

export function selectAsk(db: Queryable, id: string): Promise<StoredAsk | null> {
  return askById.first(db, [id]);
}

const askByIdempotencyKey = defineQuery({
  name: "select-ask-by-idempotency-key",
  row: ASK,
  text: `SELECT ${COLUMNS} FROM agent_asks WHERE api_key_id = $1 AND idempotency_key = $2`,
});

export function selectAskByIdempotencyKey(
  db: Queryable,
  apiKeyId: string,
  idempotencyKey: string,
): Promise<StoredAsk | null> {
  return askByIdempotencyKey.first(db, [apiKeyId, idempotencyKey]);
}

const lockedUnsettledAsk = defineQuery({
  name: "lock-unsettled-ask",
  row: ASK,
  text: `SELECT ${COLUMNS} FROM agent_asks WHERE id = $1 AND credits_used IS NULL FOR UPDATE`,
});

/** Locks an ask for which a credit is held until the transaction ends; null if it is already charged. */
export function lockUnsettledAsk(db: PoolClient, id: string): Promise<StoredAsk | null> {
  return lockedUnsettledAsk.first(db, [id]);
}

const deletedAsk = defineCommand({ name: "delete-ask", text: "DELETE FROM agent_asks WHERE id = $1" });

export async function deleteAsk(db: PoolClient, id: string): Promise<void> {
  await deletedAsk.run(db, [id]);
}

const settledAsk = defineCommand({
  name: "settle-ask",
  text: "UPDATE agent_asks SET credits_used = $2, credits_remaining = $3 WHERE id = $1",
});

export async function settleAsk(
  db: PoolClient,
  { id, creditsUsed, creditsRemaining }: { id: string; creditsUsed: number; creditsRemaining: number },
): Promise<void> {
  await settledAsk.run(db, [id, creditsUsed, creditsRemaining]);
}

const abandonedAsks = defineQuery({
  name: "select-abandoned-asks",
  row: { id: column.uuid },
  text: `
    SELECT a.id FROM agent_asks a LEFT JOIN agent_runs r ON r.id = a.id
    WHERE a.credits_used IS NULL AND a.created_at < $1 AND (r.id IS NULL OR r.completed_at < $1)`,
});

/** Asks for which a credit is still held although their runs ended before a time, or never started. */
export async function selectAbandonedAsks(db: Queryable, before: Date): Promise<string[]> {
  return (await abandonedAsks.all(db, [before])).map(({ id }) => id);
}

const RUN_COST = { costNanoUsd: column.bigint.neverNull, isCostKnown: column.boolean };
export type RunCost = Readonly<RowOf<typeof RUN_COST>>;

const runCost = defineQuery({
  name: "select-run-cost",
  row: RUN_COST,
  text: `
    SELECT (cost_usd * 1000000000)::int8 AS "costNanoUsd", is_cost_known AS "isCostKnown"
    FROM usage_records WHERE id = $1`,
});

/** The cost of a run, read from the usage because that outlives the run; null if nothing was spent. */
export function selectRunCost(db: Queryable, runId: string): Promise<RunCost | null> {
  return runCost.first(db, [runId]);
}

/** How the run of an ask ended. */
const ENDED_RUN = {
  status: column.oneOf(RunStatus),
  output: column.text,
  errorMessage: column.text.nullable,
  costUsd: column.numeric,
  isCostKnown: column.boolean,
  inputTokens: column.integer,
  outputTokens: column.integer,
};
export type EndedRun = Readonly<RowOf<typeof ENDED_RUN>>;

const endedRun = defineQuery({
  name: "select-ended-run",
  row: ENDED_RUN,
  text: `
    SELECT status, output, error_message AS "errorMessage", cost_usd AS "costUsd", is_cost_known AS "isCostKnown",
      input_tokens AS "inputTokens", output_tokens AS "outputTokens"
    FROM agent_runs WHERE id = $1`,
});

export function selectEndedRun(db: Queryable, id: string): Promise<EndedRun | null> {
  return endedRun.first(db, [id]);
}

const latestExchanges = defineQuery({
  name: "select-exchanges",
  row: { message: column.text, response: column.text },
  text: `
    SELECT a.message, r.output AS response FROM agent_asks a JOIN agent_runs r ON r.id = a.id
    WHERE a.conversation_id = $1 AND a.credits_used IS NOT NULL AND r.status = 'success'
    ORDER BY a.created_at DESC, a.id DESC LIMIT $2`,
});

/** The latest answered exchanges of a conversation, oldest first. */
export async function selectExchanges(db: Queryable, conversationId: string, limit: number): Promise<Exchange[]> {
  return (await latestExchanges.all(db, [conversationId, limit])).toReversed();
}
