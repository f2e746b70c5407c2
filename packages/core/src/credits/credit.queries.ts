import type { Pool, PoolClient } from "@workspace/db";
import type { CreditEntry } from "./credit.schema.ts";

type Queryable = Pool | PoolClient;

export interface StoredPool {
  readonly balance: number;
  readonly held: number;
}

/** Makes the pool where there is none; says whether it did. */
export async function insertPool(db: PoolClient, balance: number): Promise<boolean> {
  const { rowCount } = await db.query("INSERT INTO credit_pools (id, balance) VALUES (1, $1) ON CONFLICT DO NOTHING", [
    balance,
  ]);
  return rowCount === 1;
}

export async function selectPool(db: Queryable): Promise<StoredPool> {
  const { rows } = await db.query<StoredPool>("SELECT balance, held FROM credit_pools WHERE id = 1");
  return rows[0] ?? { balance: 0, held: 0 };
}

/** Holds one credit back where one is free; says whether one was. Whoever asks at the same time waits. */
export async function holdCredit(db: PoolClient): Promise<boolean> {
  const { rowCount } = await db.query("UPDATE credit_pools SET held = held + 1 WHERE id = 1 AND balance - held >= 1");
  return rowCount === 1;
}

/** Moves the balance and gives held credits back; answers the balance afterwards. Locks the pool until the transaction ends. */
export async function moveBalance(
  db: PoolClient,
  { delta, released }: { delta: number; released: number },
): Promise<number> {
  const { rows } = await db.query<{ balance: number }>(
    "UPDATE credit_pools SET balance = balance + $1, held = held - $2 WHERE id = 1 RETURNING balance",
    [delta, released],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("The credit pool was never made.");
  return row.balance;
}

export type NewCreditEntry = Omit<CreditEntry, "apiKeyName" | "createdAt"> & { readonly createdAt: Date };

export async function insertCreditEntry(db: PoolClient, entry: NewCreditEntry): Promise<void> {
  await db.query(
    `INSERT INTO credit_entries (id, delta, balance_after, reason, note, run_id, api_key_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [entry.id, entry.delta, entry.balanceAfter, entry.reason, entry.note, entry.runId, entry.apiKeyId, entry.createdAt],
  );
}

/** Newest first. */
export async function selectCreditEntries(
  db: Queryable,
  { limit, after }: { limit: number; after: readonly [createdAt: string, id: string] | undefined },
): Promise<CreditEntry[]> {
  const { rows } = await db.query<CreditEntry>(
    `SELECT e.id, e.delta, e.balance_after AS "balanceAfter", e.reason, e.note, e.run_id AS "runId",
       e.api_key_id AS "apiKeyId", k.name AS "apiKeyName", e.created_at AS "createdAt"
     FROM credit_entries e LEFT JOIN api_keys k ON k.id = e.api_key_id
     WHERE $2::timestamptz IS NULL OR (e.created_at, e.id) < ($2, $3::uuid)
     ORDER BY e.created_at DESC, e.id DESC LIMIT $1`,
    [limit, after?.[0] ?? null, after?.[1] ?? null],
  );
  return rows;
}
