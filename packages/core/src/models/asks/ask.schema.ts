import * as z from "zod";

export const askInput = z.object({
  agentId: z.string().meta({ description: "An id from the list of agents" }),
  message: z
    .string()
    .max(100_000, "must be at most 100,000 characters")
    .refine((text) => text.trim() !== "", "must not be empty"),
  conversationId: z
    .string()
    .nullish()
    .meta({ description: "The conversation of an earlier answer, or a chat, to continue" }),
  idempotencyKey: z.string().min(1).max(255).optional().meta({
    description: "A name of your own for this question: sent again with it, it gets the first answer at no cost",
  }),
});
export type Ask = z.infer<typeof askInput>;

export const askAnswerSchema = z
  .object({
    agentId: z.string(),
    runId: z.string(),
    conversationId: z.string().meta({ description: "Send it with the next message to continue the conversation" }),
    response: z.string(),
    costUsd: z.number(),
    isCostKnown: z
      .boolean()
      .meta({ description: "False if the price of the model is unknown; one credit is charged in that case" }),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    creditsUsed: z.number().int(),
    creditsRemaining: z.number().int(),
  })
  .meta({ id: "AskAnswer" });
export type AskAnswer = z.infer<typeof askAnswerSchema>;
