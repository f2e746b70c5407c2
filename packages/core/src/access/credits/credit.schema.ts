import * as z from "zod";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

export const CREDIT_REASONS = ["grant", "top_up", "ask"] as const;

const credits = z.number().int();
const MAX_TOP_UP = 1_000_000;

export const creditPoolSchema = z
  .object({
    balance: credits.meta({
      description: "One credit is one US cent of model cost; negative after a call that cost more than was left",
    }),
    held: credits.meta({ description: "Reserved for calls in progress" }),
    available: credits.meta({ description: "What is left for further calls" }),
  })
  .meta({ id: "CreditPool" });
export type CreditPool = z.infer<typeof creditPoolSchema>;

export const creditEntrySchema = z
  .object({
    id: z.string(),
    delta: credits,
    balanceAfter: credits,
    reason: z.enum(CREDIT_REASONS),
    note: z.string().nullable().meta({ description: "A person's comment, or the name of the agent that was asked" }),
    runId: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    apiKeyName: z.string().nullable().meta({ description: "Null if the key has been revoked" }),
    createdAt: timestamp,
  })
  .meta({ id: "CreditEntry" });
export type CreditEntry = z.infer<typeof creditEntrySchema>;

export const topUpInput = z.object({
  amount: z.number().int().min(1, "must be at least 1").max(MAX_TOP_UP, "must be at most 1,000,000"),
  note: z.string().trim().max(200, "must be at most 200 characters").nullish(),
});
export type TopUp = z.infer<typeof topUpInput>;

export const listCreditEntriesInput = z.object({
  limit: z.number().int().min(1).max(1000).default(100),
  cursor: cursorInput,
});
export type ListCreditEntries = z.output<typeof listCreditEntriesInput>;
