import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { formatUsd, toUsd, type NanoUsd } from "../../platform/money.ts";
import { dayIn, startOfNextDay } from "../../platform/time-zone.ts";
import { BudgetExceededError, UnpricedModelError } from "./spending-errors.ts";
import {
  reserveSpending,
  selectSpending,
  settleSpending,
  type ScopeReservation,
  type SpendingScope,
} from "./spending.queries.ts";

/** What a call may spend, in addition to the workspace's daily cap. */
export interface SpendingLimits {
  /** What is left of the run's own budget; null means no limit. */
  readonly runLeft: NanoUsd | null;
  /** The agent whose daily spending counts too; a null limit means that it has none. */
  readonly agent: { readonly id: string; readonly dailyLimit: NanoUsd | null } | null;
}

/** No limits beyond the workspace's daily cap. */
export const NO_FURTHER_LIMITS: SpendingLimits = { runLeft: null, agent: null };

/** An amount reserved for a call until it is settled. */
export interface Reservation {
  readonly day: string;
  readonly scopes: readonly ScopeReservation[];
}

/** A scope of spending and what may be spent in it per day. */
interface SpendingCap {
  readonly scope: SpendingScope;
  readonly limit: NanoUsd | null;
  readonly name: string;
}

export interface SpendGuardOptions extends Deps<"db" | "clock"> {
  /** The server's time zone, which determines when a day begins. */
  readonly timeZone: string;
  /** Returns the workspace's daily cap; null means none. */
  readonly readDailyLimit: () => Promise<NanoUsd | null>;
}

export type SpendGuard = ReturnType<typeof createSpendGuard>;

/**
 * Keeps spending within its caps. The state is in PostgreSQL, so that concurrent calls of any number of processes share the
 * caps. A reservation that is never settled because its process died counts until the end of its day: what the call has cost
 * is unknown, but it is no more than was reserved.
 */
export function createSpendGuard({ db, clock, timeZone, readDailyLimit }: SpendGuardOptions) {
  const today = () => dayIn(timeZone, clock.now());

  async function capsOf({ agent }: SpendingLimits): Promise<SpendingCap[]> {
    const limit = await readDailyLimit();
    const workspace: SpendingCap = { scope: "workspace", limit, name: "the workspace's daily budget" };
    if (agent === null) return [workspace];
    return [workspace, { scope: `agent:${agent.id}`, limit: agent.dailyLimit, name: "the agent's daily budget" }];
  }

  return {
    /**
     * Reserves the worst-case cost of a call; null is an unknown amount. Throws {@link BudgetExceededError} if that would
     * exceed a cap, and {@link UnpricedModelError} if the amount is unknown and there is any cap.
     */
    async reserve(worst: NanoUsd | null, limits: SpendingLimits): Promise<Reservation> {
      const day = today();
      const caps = await capsOf(limits);
      const hasCap = limits.runLeft !== null || caps.some((cap) => cap.limit !== null);
      if (worst === null) {
        if (hasCap) throw unpriced();
        return { day, scopes: caps.map(({ scope }) => ({ scope, reserved: 0n })) };
      }
      if (limits.runLeft !== null && worst > limits.runLeft) {
        throw new BudgetExceededError(
          `The next call could cost ${formatUsd(worst)}, and ${formatUsd(limits.runLeft)} of the run's budget is left.`,
        );
      }
      if (hasCap) {
        await transaction(db.pool, async (client) => {
          for (const { scope, limit, name } of caps) {
            if (limit === null || (await reserveSpending(client, { scope, day, amount: worst, limit }))) continue;
            const { spent, reserved } = await selectSpending(client, scope, day);
            throw exceeded({ worst, limit, name, used: spent + reserved });
          }
        });
      }
      return { day, scopes: caps.map(({ scope, limit }) => ({ scope, reserved: limit === null ? 0n : worst })) };
    },

    /** Replaces a reservation by what was actually spent, in the caller's transaction. */
    async settle(client: PoolClient, { day, scopes }: Reservation, spent: NanoUsd): Promise<void> {
      await settleSpending(client, { day, scopes, spent });
    },

    /**
     * Throws like {@link reserve} if today's budget does not cover the amount, without reserving it, so that a request can be
     * rejected before anything is started. The run's own budget is ignored.
     */
    async requireBudgetFor(worst: NanoUsd | null, limits: SpendingLimits): Promise<void> {
      for (const { scope, limit, name } of await capsOf(limits)) {
        if (limit === null) continue;
        if (worst === null) throw unpriced();
        const { spent, reserved } = await selectSpending(db.pool, scope, today());
        const used = spent + reserved;
        if (used + worst > limit) throw exceeded({ worst, limit, name, used });
      }
    },

    /** The workspace's spending today. */
    async status() {
      const now = clock.now();
      const dailyLimit = await readDailyLimit();
      const { spent, reserved } = await selectSpending(db.pool, "workspace", today());
      return {
        day: today(),
        timeZone,
        limitUsd: dailyLimit === null ? null : toUsd(dailyLimit),
        spentUsd: toUsd(spent),
        reservedUsd: toUsd(reserved),
        resetsAt: startOfNextDay(timeZone, now).toISOString(),
      };
    },
  };
}

function unpriced(): UnpricedModelError {
  return new UnpricedModelError(
    "The price of the model is unknown, so budgets cannot be enforced. Add it in the settings, or to MODEL_PRICES.",
  );
}

function exceeded({ worst, limit, name, used }: { worst: NanoUsd; limit: NanoUsd; name: string; used: NanoUsd }) {
  const left = limit > used ? limit - used : 0n;
  return new BudgetExceededError(
    `The next call could cost ${formatUsd(worst)}, and ${formatUsd(left)} of today's ${formatUsd(limit)} (${name}) is left.`,
  );
}
