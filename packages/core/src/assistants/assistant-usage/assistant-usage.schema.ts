import * as z from "zod";
import { INT4_MAX } from "../../platform/number-range.ts";
import { occurredAtInput } from "../../platform/occurred-at.ts";
import { bucketZoneInput, period } from "../../platform/statistics-window.ts";
import { MAX_TRANSCRIPT_PATH_LENGTH } from "../transcripts/transcript-source.ts";

const MAX_BATCH_SIZE = 1000;

const name = z.string().max(255, "must be at most 255 characters");
const tokenCount = z.number().int().min(0, "must not be negative").max(INT4_MAX);

/** The usage of one answer. Input, cache writes and cache reads are disjoint. */
export const messageUsageSchema = z.object({
  messageId: name.min(1, "must not be empty"),
  requestId: name
    .optional()
    .meta({ description: "Together with messageId, identifies an answer, however often it is reported" }),
  model: name.optional(),
  inputTokens: tokenCount.meta({ description: "Excluding cached tokens" }),
  outputTokens: tokenCount,
  cacheCreationInputTokens: tokenCount.optional(),
  cacheReadInputTokens: tokenCount.optional(),
  costUsd: z.number().min(0, "must not be negative").max(1_000_000).optional(),
  occurredAt: occurredAtInput.optional(),
});
export type MessageUsage = z.infer<typeof messageUsageSchema>;

export const importAssistantUsageInput = z.object({
  sessionId: name.min(1, "must not be empty"),
  projectPath: z.string().max(4096, "must be at most 4,096 characters").nullish(),
  messages: z
    .array(messageUsageSchema)
    .max(MAX_BATCH_SIZE, `must contain at most ${MAX_BATCH_SIZE} messages`)
    .optional(),
  transcript: z
    .string()
    .optional()
    .meta({ description: "The assistant's own transcript, from which to read the usage" }),
  transcriptPath: z.string().max(MAX_TRANSCRIPT_PATH_LENGTH).optional(),
});
export type ImportAssistantUsage = z.infer<typeof importAssistantUsageInput>;

export const assistantUsageImportSchema = z.object({
  received: z.number().int().meta({ description: "The number of distinct answers reported" }),
  added: z.number().int(),
  updated: z.number().int().meta({ description: "The number of known answers that have grown" }),
});
export type AssistantUsageImport = z.infer<typeof assistantUsageImportSchema>;

const totals = {
  messages: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cacheCreationInputTokens: z.number().int(),
  cacheReadInputTokens: z.number().int(),
  totalTokens: z.number().int(),
  costUsd: z
    .number()
    .nullable()
    .meta({ description: "At list prices, unless reported; null if the price of no model is known" }),
};

export const assistantUsageTotalsSchema = z.object(totals);
export type AssistantUsageTotals = z.infer<typeof assistantUsageTotalsSchema>;

export const assistantUsageStatisticsInput = z.object({ period: period.default("7d"), ...bucketZoneInput });
export type AssistantUsageQuery = z.infer<typeof assistantUsageStatisticsInput>;

export const assistantUsageStatisticsSchema = z
  .object({
    ...totals,
    sessions: z.number().int(),
    dailyUsage: z.array(z.object({ date: z.string(), ...totals })),
    byModel: z.array(z.object({ model: z.string().nullable(), ...totals })),
    byProject: z.array(z.object({ projectPath: z.string().nullable(), ...totals })),
  })
  .meta({ id: "AssistantUsageStatistics" });
export type AssistantUsageStatistics = z.infer<typeof assistantUsageStatisticsSchema>;
