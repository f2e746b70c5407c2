import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import type { NanoUsd } from "../../platform/money.ts";

/** Spending is counted for the whole workspace and for single agents. */
export type SpendingScope = "workspace" | `agent:${string}`;

export interface SpendingRow {
  readonly spent: NanoUsd;
  readonly reserved: NanoUsd;
}

/** The amount reserved in a scope for one call. */
export interface ScopeReservation {
  readonly scope: SpendingScope;
  readonly reserved: NanoUsd;
}

const spendingOfDay = defineQuery({
  name: "select-spending",
  row: { spent: column.bigint, reserved: column.bigint },
  text: "SELECT spent_nano_usd AS spent, reserved_nano_usd AS reserved FROM spending WHERE scope = $1 AND day = $2",
});

/** The amounts spent and reserved on a day; zero if there are none. */
export async function selectSpending(db: Queryable, scope: SpendingScope, day: string): Promise<SpendingRow> {
  const row = await spendingOfDay.first(db, [scope, day]);
  return row === null ? { spent: 0n, reserved: 0n } : { spent: BigInt(row.spent), reserved: BigInt(row.reserved) };
}

const reservation = defineCommand({
  name: "reserve-spending",
  text: `
    INSERT INTO spending (scope, day, reserved_nano_usd) VALUES ($1, $2, $3)
    ON CONFLICT (scope, day) DO UPDATE SET reserved_nano_usd = spending.reserved_nano_usd + EXCLUDED.reserved_nano_usd
    WHERE spending.spent_nano_usd + spending.reserved_nano_usd + EXCLUDED.reserved_nano_usd <= $4`,
});

/**
 * Reserves an amount if everything spent and reserved stays within the limit. Returns whether it did. Concurrent calls wait for
 * each other, so that their total stays within it too.
 */
export async function reserveSpending(
  db: PoolClient,
  { scope, day, amount, limit }: { scope: SpendingScope; day: string; amount: NanoUsd; limit: NanoUsd },
): Promise<boolean> {
  if (amount > limit) return false;
  return (await reservation.run(db, [scope, day, amount, limit])) === 1;
}

const settlement = defineCommand({
  name: "settle-spending",
  isPrepared: true,
  text: `
    WITH settled AS (SELECT * FROM unnest($1::text[], $2::bigint[]) AS settled (scope, reserved))
    INSERT INTO spending (scope, day, spent_nano_usd) SELECT scope, $3::date, $4::bigint FROM settled
    ON CONFLICT (scope, day) DO UPDATE SET
      spent_nano_usd = spending.spent_nano_usd + EXCLUDED.spent_nano_usd,
      reserved_nano_usd = GREATEST(spending.reserved_nano_usd - (
        SELECT reserved FROM settled WHERE settled.scope = spending.scope), 0)`,
});

/** Replaces a reservation in one or more scopes by the amount actually spent in each; both may be zero. */
export async function settleSpending(
  db: Queryable,
  { day, scopes, spent }: { day: string; scopes: readonly ScopeReservation[]; spent: NanoUsd },
): Promise<void> {
  const names = scopes.map(({ scope }) => scope);
  const reserved = scopes.map((reservation) => reservation.reserved);
  await settlement.run(db, [names, reserved, day, spent]);
}
