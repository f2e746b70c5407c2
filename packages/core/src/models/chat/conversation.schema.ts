import * as z from "zod";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { contentBlock } from "../gateway/content-block.ts";

export const CONVERSATION_STATUSES = ["idle", "streaming", "interrupted", "error"] as const;
export const conversationStatus = z.enum(CONVERSATION_STATUSES);
export type ConversationStatus = z.infer<typeof conversationStatus>;

export const conversationSchema = z
  .object({
    id: z.string(),
    sessionId: z.string(),
    title: z.string(),
    summary: z.string().meta({ description: "The beginning of the last answer" }),
    status: conversationStatus,
    errorMessage: z.string().nullable().meta({ description: "Why the last answer failed, while the status is error" }),
    totalCostUsd: z.number(),
    isCostKnown: z.boolean(),
    messageCount: z.number().int(),
    startedAt: timestamp,
    endedAt: timestamp.nullable().meta({ description: "When the last answer ended; null while one is in progress" }),
  })
  .meta({ id: "Conversation" });
export type Conversation = z.infer<typeof conversationSchema>;

export const messageSchema = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    role: z.enum(["user", "assistant"]),
    content: z.array(contentBlock),
    costUsd: z.number().nullable(),
    durationMs: z.number().int().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "Message" });
export type Message = z.infer<typeof messageSchema>;

export const conversationDetailSchema = conversationSchema
  .extend({
    lastSeq: z
      .number()
      .int()
      .meta({ description: "Pass it to chat:resume as afterSeq to continue from these messages" }),
    messages: z.array(messageSchema),
  })
  .meta({ id: "ConversationDetail" });
export type ConversationDetail = z.infer<typeof conversationDetailSchema>;

export const listConversationsInput = z.object({
  search: z.string().optional(),
  limit: z.number().int().min(1).max(1000).default(50),
  cursor: cursorInput,
});
export type ListConversations = z.output<typeof listConversationsInput>;
