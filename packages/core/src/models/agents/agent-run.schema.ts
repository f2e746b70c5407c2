import * as z from "zod";
import { MAX_CHOICES } from "../../platform/choices.ts";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { bucketZoneInput, period } from "../../platform/statistics-window.ts";
import { contentBlock } from "../gateway/content-block.ts";

export const RUN_STATUSES = ["running", "success", "error", "budget_exceeded", "cancelled"] as const;
export const runStatus = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof runStatus>;

export const RUN_TRIGGERS = ["schedule", "manual", "api"] as const;
export const runTrigger = z.enum(RUN_TRIGGERS);
export type RunTrigger = z.infer<typeof runTrigger>;

const count = z.number().int();

export const agentRunSchema = z
  .object({
    id: z.string(),
    agentId: z.string(),
    status: runStatus,
    trigger: runTrigger,
    output: z.string(),
    errorMessage: z.string().nullable().meta({ description: "Why it did not succeed" }),
    model: z.string().nullable(),
    costUsd: z.number(),
    isCostKnown: z.boolean(),
    inputTokens: count,
    cachedInputTokens: count,
    outputTokens: count,
    numTurns: count,
    startedAt: timestamp,
    completedAt: timestamp.nullable(),
    durationMs: count.nullable(),
  })
  .meta({ id: "AgentRun" });
export type AgentRun = z.infer<typeof agentRunSchema>;

/** A run with everything that the model said and did, in order. */
export const agentRunDetailSchema = agentRunSchema
  .extend({ steps: z.array(contentBlock) })
  .meta({ id: "AgentRunDetail" });
export type AgentRunDetail = z.infer<typeof agentRunDetailSchema>;

export const listRunsInput = z.object({
  id: z.string(),
  period: period.optional(),
  status: z.array(runStatus).max(MAX_CHOICES).optional(),
  limit: z.number().int().min(1).max(1000).default(100),
  cursor: cursorInput,
});
export type ListRuns = z.output<typeof listRunsInput>;

export const agentStatsInput = z.object({ id: z.string(), period: period.default("7d"), ...bucketZoneInput });
export const globalStatsInput = agentStatsInput.omit({ id: true });
export type AgentStatsInput = z.output<typeof agentStatsInput>;
export type GlobalStatsInput = z.output<typeof globalStatsInput>;

const usd = z.number();

const dailyRun = z.object({
  date: z.string(),
  success: count,
  error: count.meta({ description: "error and budget_exceeded" }),
  total: count.meta({ description: "All runs, including running and cancelled ones" }),
  costUsd: usd,
});

/** Statistics over a period, of one agent or of all. */
export const runStatsSchema = z.object({
  totalRuns: count,
  successRate: z.number().meta({ description: "0 to 100; of the runs that ended on their own" }),
  avgDurationMs: z.number().meta({ description: "Of the runs that have ended" }),
  totalCostUsd: usd,
  dailyRuns: z.array(dailyRun),
});
export type RunStats = z.infer<typeof runStatsSchema>;

export const agentStatsSchema = runStatsSchema
  .extend({ lastRunAt: timestamp.nullable() })
  .meta({ id: "AgentStatistics" });
export type AgentStats = z.infer<typeof agentStatsSchema>;

export const globalStatsSchema = z
  .object({
    totalAgents: count,
    activeAgents: count,
    runsInPeriod: count,
    successRate: z.number(),
    totalCostUsd: usd,
    runningAgentIds: z.array(z.string()),
    dailyRuns: z.array(dailyRun),
  })
  .meta({ id: "GlobalAgentStatistics" });
export type GlobalStats = z.infer<typeof globalStatsSchema>;
