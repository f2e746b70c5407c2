import type { Pool, PoolClient } from "@workspace/db";
import type { NanoUsd } from "../platform/money.ts";

type Queryable = Pool | PoolClient;

/** What spending is counted by: the whole workspace, or one agent. */
export type SpendingScope = "workspace" | `agent:${string}`;

export interface SpendingRow {
  readonly spent: NanoUsd;
  readonly reserved: NanoUsd;
}

/** What is reserved on a scope for one call. */
export interface ScopeReservation {
  readonly scope: SpendingScope;
  readonly reserved: NanoUsd;
}

/** What was spent and is reserved on a day; zeros where there is nothing. */
export async function selectSpending(db: Queryable, scope: SpendingScope, day: string): Promise<SpendingRow> {
  const { rows } = await db.query<{ spent: number | bigint; reserved: number | bigint }>(
    "SELECT spent_nano_usd AS spent, reserved_nano_usd AS reserved FROM spending WHERE scope = $1 AND day = $2",
    [scope, day],
  );
  const [row] = rows;
  return row === undefined ? { spent: 0n, reserved: 0n } : { spent: BigInt(row.spent), reserved: BigInt(row.reserved) };
}

/**
 * Reserves an amount where what is spent and reserved stays within the limit with it; says whether it did. Whoever asks at
 * the same time waits, so that all of them together stay within it too.
 */
export async function reserveSpending(
  db: PoolClient,
  { scope, day, amount, limit }: { scope: SpendingScope; day: string; amount: NanoUsd; limit: NanoUsd },
): Promise<boolean> {
  if (amount > limit) return false;
  const { rowCount } = await db.query(
    `INSERT INTO spending (scope, day, reserved_nano_usd) VALUES ($1, $2, $3)
     ON CONFLICT (scope, day) DO UPDATE SET reserved_nano_usd = spending.reserved_nano_usd + EXCLUDED.reserved_nano_usd
     WHERE spending.spent_nano_usd + spending.reserved_nano_usd + EXCLUDED.reserved_nano_usd <= $4`,
    [scope, day, amount, limit],
  );
  return rowCount === 1;
}

/** Turns a reservation on one or several scopes into what was really spent on each; neither has to be more than zero. */
export async function settleSpending(
  db: Queryable,
  { day, scopes, spent }: { day: string; scopes: readonly ScopeReservation[]; spent: NanoUsd },
): Promise<void> {
  await db.query({
    name: "settle-spending",
    text: `
      WITH settled AS (SELECT * FROM unnest($1::text[], $2::bigint[]) AS settled (scope, reserved))
      INSERT INTO spending (scope, day, spent_nano_usd) SELECT scope, $3::date, $4::bigint FROM settled
      ON CONFLICT (scope, day) DO UPDATE SET
        spent_nano_usd = spending.spent_nano_usd + EXCLUDED.spent_nano_usd,
        reserved_nano_usd = GREATEST(spending.reserved_nano_usd - (
          SELECT reserved FROM settled WHERE settled.scope = spending.scope), 0)`,
    values: [scopes.map(({ scope }) => scope), scopes.map(({ reserved }) => reserved), day, spent],
  });
}
