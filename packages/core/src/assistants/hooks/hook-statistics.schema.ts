import * as z from "zod";
import { bucketZoneInput, period } from "../../platform/statistics-window.ts";
import { hookEventType } from "./hook-event.schema.ts";

export const hookStatisticsInput = z.object({ period: period.default("7d"), ...bucketZoneInput });
export type HookStatisticsQuery = z.infer<typeof hookStatisticsInput>;

const averageMs = z.number().meta({ description: "Over the events with a duration; 0 if there are none" });

export const hookStatisticsSchema = z
  .object({
    totalEvents: z.number().int(),
    blockedEvents: z.number().int(),
    blockRate: z.number().meta({ description: "0 to 100" }),
    avgDurationMs: averageMs,
    eventsByType: z.partialRecord(hookEventType, z.number().int()),
    toolBreakdown: z.array(
      z.object({ toolName: z.string(), total: z.number().int(), blocked: z.number().int(), avgDurationMs: averageMs }),
    ),
    dailyActivity: z.array(
      z.object({
        date: z.string(),
        total: z.number().int(),
        blocked: z.number().int(),
        allowed: z.number().int(),
        avgDurationMs: averageMs,
      }),
    ),
    recentSessions: z.array(z.string()),
  })
  .meta({ id: "HookStatistics" });
export type HookStatistics = z.infer<typeof hookStatisticsSchema>;
