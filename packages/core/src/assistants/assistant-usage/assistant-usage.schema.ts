import * as z from "zod";
import { INT4_MAX } from "../../platform/number-range.ts";
import { occurredAtInput } from "../../platform/occurred-at.ts";
import { bucketZoneInput, period } from "../../platform/statistics-window.ts";
import { MAX_TRANSCRIPT_PATH_LENGTH } from "../transcripts/transcript-source.ts";

const MAX_BATCH_SIZE = 1000;
const MAX_OWN_LIMIT = 1e12;

const name = z.string().max(255, "must be at most 255 characters");
const tokenCount = z.number().int().min(0, "must not be negative").max(INT4_MAX);

/** The assistants whose transcripts record their usage. */
export const USAGE_ASSISTANTS = ["claude-code", "codex", "gemini-cli", "opencode"] as const;
const assistant = z.enum(USAGE_ASSISTANTS);
export type UsageAssistant = z.infer<typeof assistant>;

/** The usage of one answer. Input, cache writes and cache reads are disjoint. */
export const messageUsageSchema = z.object({
  messageId: name.min(1, "must not be empty"),
  requestId: name
    .optional()
    .meta({ description: "Together with messageId, identifies an answer, however often it is reported" }),
  assistant: assistant
    .optional()
    .meta({ description: "Whose limits the answer counts towards; a transcript shows it by its format" }),
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

const useTotals = {
  messages: totals.messages,
  totalTokens: totals.totalTokens,
  costUsd: totals.costUsd,
};

const limitWindowSchema = z.object({
  startsAt: z.string(),
  endsAt: z.string(),
  ...useTotals,
  pace: z
    .object({ tokensPerMinute: z.number(), costUsdPerMinute: z.number().nullable() })
    .nullable()
    .meta({ description: "From the first to the last use; null if they are less than five minutes apart" }),
  forecast: z
    .object({ totalTokens: z.number().int(), costUsd: z.number().nullable() })
    .nullable()
    .meta({ description: "The totals at the end of the window, at this pace" }),
});

const reportedLimitSchema = z.object({
  usedPercent: z.number(),
  resetsAt: z.string(),
  reportedAt: z.string(),
  fullAt: z.string().nullable().meta({
    description:
      "When it is used up at the pace since its window began; null if not before it resets, or not known yet",
  }),
});
export type ReportedLimit = z.infer<typeof reportedLimitSchema>;

const limitUnit = z.enum(["usd", "tokens"]);

/** A limit that a person has entered, for a window of five hours or for seven days. */
export const ownLimit = z
  .object({
    unit: limitUnit,
    amount: z.number().min(0.01, "must be at least 0.01").max(MAX_OWN_LIMIT, "must be at most a trillion"),
  })
  .refine(({ unit, amount }) => unit === "usd" || Number.isInteger(amount), {
    path: ["amount"],
    message: "must be a whole number of tokens",
  });
export type OwnLimit = z.infer<typeof ownLimit>;

const ownLimitProgressSchema = z.object({
  unit: limitUnit,
  amount: z.number(),
  usedPercent: z.number().nullable().meta({ description: "Null if the cost is not known" }),
  reachedAt: z
    .string()
    .nullable()
    .meta({ description: "When it is reached at this pace; null if it has been, if not in time, or if not known" }),
});

export const assistantLimitsSchema = z
  .object({
    assistants: z
      .array(
        z.object({
          assistant,
          fiveHours: limitWindowSchema.nullable().meta({
            description: "It begins at the full hour of the first use after the window before; null if none is current",
          }),
          lastSevenDays: z.object({ startsAt: z.string(), ...useTotals }),
          reported: z
            .object({ fiveHours: reportedLimitSchema.nullable(), week: reportedLimitSchema.nullable() })
            .meta({ description: "What the assistant itself reported about its current windows; null if nothing" }),
          own: z
            .object({ fiveHours: ownLimitProgressSchema.nullable(), sevenDays: ownLimitProgressSchema.nullable() })
            .meta({ description: "What is used of the limits that a person has entered; null for none" }),
        }),
      )
      .meta({ description: "Those used in the last seven days, most tokens first" }),
  })
  .meta({ id: "AssistantLimits" });
export type AssistantLimits = z.infer<typeof assistantLimitsSchema>;
