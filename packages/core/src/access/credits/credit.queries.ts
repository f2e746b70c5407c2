import { column, CreditReason, defineCommand, defineQuery } from "@workspace/db";
import type { PoolClient, Queryable, RowOf } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { CreditEntry } from "./credit.schema.ts";

const POOL = { balance: column.integer, held: column.integer };
export type StoredPool = Readonly<RowOf<typeof POOL>>;

const newPool = defineCommand({
  name: "insert-credit-pool",
  text: "INSERT INTO credit_pools (id, balance) VALUES (1, $1) ON CONFLICT DO NOTHING",
});

/** Creates the pool if there is none. Returns whether it did. */
export async function insertPool(db: PoolClient, balance: number): Promise<boolean> {
  return (await newPool.run(db, [balance])) === 1;
}

const pool = defineQuery({
  name: "select-credit-pool",
  row: POOL,
  text: "SELECT balance, held FROM credit_pools WHERE id = 1",
});

export async function selectPool(db: Queryable): Promise<StoredPool> {
  return (await pool.first(db)) ?? { balance: 0, held: 0 };
}

const heldCredit = defineCommand({
  name: "hold-credit",
  text: "UPDATE credit_pools SET held = held + 1 WHERE id = 1 AND balance - held >= 1",
});

/** Holds one credit if one is available. Returns whether it did. Concurrent calls wait for each other. */
export async function holdCredit(db: PoolClient): Promise<boolean> {
  return (await heldCredit.run(db)) === 1;
}

const movedBalance = defineQuery({
  name: "move-credit-balance",
  row: { balance: column.integer },
  text: "UPDATE credit_pools SET balance = balance + $1, held = held - $2 WHERE id = 1 RETURNING balance",
});

/**
 * Changes the balance and releases held credits. Returns the new balance. Locks the pool until the transaction ends. Throws if
 * the pool was never created.
 */
export async function moveBalance(
  db: PoolClient,
  { delta, released }: { delta: number; released: number },
): Promise<number> {
  return (await movedBalance.one(db, [delta, released])).balance;
}

export type NewCreditEntry = Omit<CreditEntry, "apiKeyName" | "createdAt"> & { readonly createdAt: Date };

const newEntry = defineCommand({
  name: "insert-credit-entry",
  text: `
    INSERT INTO credit_entries (id, delta, balance_after, reason, note, run_id, api_key_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
});

export async function insertCreditEntry(db: PoolClient, entry: NewCreditEntry): Promise<void> {
  const { id, delta, balanceAfter, reason, note, runId, apiKeyId, createdAt } = entry;
  await newEntry.run(db, [id, delta, balanceAfter, reason, note, runId, apiKeyId, createdAt]);
}

const entriesByAge = defineQuery({
  name: "select-credit-entries",
  row: {
    id: column.uuid,
    delta: column.integer,
    balanceAfter: column.integer,
    reason: column.oneOf(CreditReason),
    note: column.text.nullable,
    runId: column.uuid.nullable,
    apiKeyId: column.uuid.nullable,
    apiKeyName: column.text.nullable,
    createdAt: column.timestamp,
  },
  text: `
    SELECT e.id, e.delta, e.balance_after AS "balanceAfter", e.reason, e.note, e.run_id AS "runId",
      e.api_key_id AS "apiKeyId", k.name AS "apiKeyName", e.created_at AS "createdAt"
    FROM credit_entries e LEFT JOIN api_keys k ON k.id = e.api_key_id
    WHERE $2::timestamptz IS NULL OR (e.created_at, e.id) < ($2, $3::uuid)
    ORDER BY e.created_at DESC, e.id DESC LIMIT $1`,
});

/** Newest first. */
export function selectCreditEntries(db: Queryable, { limit, after }: PageRange<TimeAndId>): Promise<CreditEntry[]> {
  return entriesByAge.all(db, [limit, after?.[0], after?.[1]]);
}
