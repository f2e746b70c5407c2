import * as z from "zod";

export const askInput = z.object({
  agentId: z.string(),
  message: z
    .string()
    .max(100_000, "must be at most 100,000 characters")
    .refine((text) => text.trim() !== "", "must not be empty"),
  conversationId: z
    .string()
    .nullish()
    .meta({ description: "The conversation of an earlier answer, or of a chat, to go on with" }),
});
export type Ask = z.infer<typeof askInput>;

export const askAnswerSchema = z.object({
  agentId: z.string(),
  runId: z.string(),
  conversationId: z.string().meta({ description: "Send it with the next message to go on" }),
  response: z.string(),
  costUsd: z.number(),
  isCostKnown: z
    .boolean()
    .meta({ description: "False where the model has no known price; that is charged one credit" }),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  creditsUsed: z.number().int(),
  creditsRemaining: z.number().int(),
});
export type AskAnswer = z.infer<typeof askAnswerSchema>;
