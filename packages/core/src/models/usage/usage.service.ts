import type { Deps } from "../../platform/deps.ts";
import { startOfPeriod, statisticsWindow } from "../../platform/statistics-window.ts";
import type { SpendGuard } from "./spend-guard.ts";
import { selectUsage, selectUsageStats } from "./usage.queries.ts";
import type { Budget, ListUsage, UsageList, UsageStats, UsageStatsInput } from "./usage.schema.ts";

export interface UsageServiceDeps extends Deps<"db" | "clock"> {
  readonly spendGuard: SpendGuard;
}

export type UsageService = ReturnType<typeof createUsageService>;

/** What the model was used for, and what that has cost. */
export function createUsageService({ db, clock, spendGuard }: UsageServiceDeps) {
  return {
    /** One page, newest first. */
    async list({ period, ...filter }: ListUsage): Promise<UsageList> {
      const { records, total } = await selectUsage(db.pool, { ...filter, from: startOfPeriod(period, clock.now()) });
      const { page, limit } = filter;
      return { data: records, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
    },

    stats({ period, granularity, tz, tzOffset }: UsageStatsInput): Promise<UsageStats> {
      const window = statisticsWindow(period, { tz, tzOffset }, clock.now());
      return selectUsageStats(db.pool, window, granularity === "hourly" ? "hour" : "day");
    },

    /** Today's spending and its cap. */
    budget(): Promise<Budget> {
      return spendGuard.status();
    },
  };
}
