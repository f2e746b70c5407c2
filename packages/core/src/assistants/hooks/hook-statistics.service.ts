import type { Db } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { percentage, statisticsWindow } from "../../platform/statistics-window.ts";
import { countHours } from "./hook-hourly-count.queries.ts";
import { selectHookCounts, selectRecentSessions, type HookCounts } from "./hook-statistics.queries.ts";
import type { HookStatistics, HookStatisticsQuery } from "./hook-statistics.schema.ts";

const RECENT_SESSION_COUNT = 10;

export type HookStatisticsService = ReturnType<typeof createHookStatisticsService>;

/** Statistics of hook events over a rolling window. */
export function createHookStatisticsService({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    /** Buckets cover every day that overlaps the window, in the caller's time zone, and add up to the totals. */
    async summarize({ period, ...bucketZone }: HookStatisticsQuery): Promise<HookStatistics> {
      const window = statisticsWindow(period, bucketZone, clock.now());
      await countHours(db.pool);
      const [counts, recentSessions] = await Promise.all([
        selectHookCounts(db.pool, window),
        selectRecentSessions(db.pool, window, RECENT_SESSION_COUNT),
      ]);
      return { ...toStatistics(counts), recentSessions };
    },

    /** Does the counting ahead of time, so that requests do not have to wait for it. Cheap if there is nothing new. */
    prepare(): Promise<void> {
      return countHours(db.pool);
    },
  };
}

function toStatistics(counts: readonly HookCounts[]): Omit<HookStatistics, "recentSessions"> {
  const statistics: Omit<HookStatistics, "recentSessions"> = {
    totalEvents: 0,
    blockedEvents: 0,
    blockRate: 0,
    avgDurationMs: 0,
    eventsByType: {},
    toolBreakdown: [],
    dailyActivity: [],
  };
  for (const { day, eventType, toolName, total, blocked, avgDurationMs } of counts) {
    if (day !== null) {
      statistics.dailyActivity.push({ date: day, total, blocked, allowed: total - blocked, avgDurationMs });
    } else if (eventType !== null) {
      statistics.eventsByType[eventType] = total;
    } else if (toolName !== null) {
      // Events outside of tool calls are included in the other counts.
      if (toolName !== "") statistics.toolBreakdown.push({ toolName, total, blocked, avgDurationMs });
    } else {
      statistics.totalEvents = total;
      statistics.blockedEvents = blocked;
      statistics.blockRate = percentage(blocked, total);
      statistics.avgDurationMs = avgDurationMs;
    }
  }
  return statistics;
}
