import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";
import { bucketZoneInput, period } from "../../platform/statistics-window.ts";

export const USAGE_SOURCES = ["chat", "agent", "memory_extraction", "memory_embedding"] as const;
export const usageSource = z.enum(USAGE_SOURCES);
export type UsageSource = z.infer<typeof usageSource>;

const usd = z.number().meta({ description: "US dollars" });
const count = z.number().int();

export const usageRecordSchema = z
  .object({
    id: z.string(),
    source: usageSource,
    sourceId: z.string().nullable().meta({ description: "The conversation or agent run" }),
    sourceName: z.string().nullable(),
    model: z.string().nullable(),
    inputTokens: count,
    cachedInputTokens: count.meta({ description: "Part of inputTokens" }),
    outputTokens: count,
    costUsd: usd,
    isCostKnown: z
      .boolean()
      .meta({ description: "False if the price of the model is unknown or tokens are estimated" }),
    durationMs: count.nullable(),
    numTurns: count.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "UsageRecord" });
export type UsageRecord = z.infer<typeof usageRecordSchema>;

export const listUsageInput = z.object({
  period: period.default("7d"),
  source: usageSource.optional(),
  search: z.string().optional(),
  page: z.number().int().min(1).max(1_000_000).default(1),
  limit: z.number().int().min(1).max(100).default(20),
});
export type ListUsage = z.output<typeof listUsageInput>;

export const usageListSchema = z.object({
  data: z.array(usageRecordSchema),
  pagination: z.object({ page: count, limit: count, total: count, totalPages: count }),
});
export type UsageList = z.infer<typeof usageListSchema>;

export const usageStatsInput = z.object({
  period: period.default("7d"),
  granularity: z.enum(["daily", "hourly"]).default("daily"),
  ...bucketZoneInput,
});
export type UsageStatsInput = z.output<typeof usageStatsInput>;

const consumption = { cost: usd, calls: count, tokens: count };

export const usageStatsSchema = z
  .object({
    totalCostUsd: usd,
    totalInputTokens: count,
    totalOutputTokens: count,
    totalCalls: count,
    avgCostPerCall: usd,
    callsOfUnknownCost: count.meta({ description: "The number of calls whose cost is not fully included" }),
    dailyUsage: z.array(
      z.object({
        date: z.string().meta({ description: "YYYY-MM-DD, or YYYY-MM-DDTHH by hour" }),
        chat: usd,
        agent: usd,
        memory: usd,
        totalCost: usd,
        inputTokens: count,
        outputTokens: count,
        calls: count,
      }),
    ),
    bySource: z.array(z.object({ source: usageSource, ...consumption })),
    byModel: z.array(z.object({ model: z.string(), ...consumption })),
    topConsumers: z.array(z.object({ name: z.string(), source: usageSource, cost: usd, calls: count })),
  })
  .meta({ id: "UsageStatistics" });
export type UsageStats = z.infer<typeof usageStatsSchema>;

export const budgetSchema = z
  .object({
    day: z.string(),
    timeZone: z.string(),
    limitUsd: usd.nullable().meta({ description: "null means no limit" }),
    spentUsd: usd,
    reservedUsd: usd.meta({ description: "Reserved for calls in progress, at their worst-case cost" }),
    resetsAt: timestamp,
  })
  .meta({ id: "Budget" });
export type Budget = z.infer<typeof budgetSchema>;
