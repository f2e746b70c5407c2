import * as z from "zod";
import { contentBlock } from "../models/content-block.ts";
import { cursorInput } from "../platform/paging.ts";
import { timestamp } from "../platform/response.ts";

export const CONVERSATION_STATUSES = ["idle", "streaming", "interrupted", "error"] as const;
export const conversationStatus = z.enum(CONVERSATION_STATUSES);
export type ConversationStatus = z.infer<typeof conversationStatus>;

export const conversationSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  title: z.string(),
  summary: z.string().meta({ description: "How the last answer begins" }),
  status: conversationStatus,
  errorMessage: z.string().nullable().meta({ description: "Why the last answer failed, while the status is error" }),
  totalCostUsd: z.number(),
  isCostKnown: z.boolean(),
  messageCount: z.number().int(),
  startedAt: timestamp,
  endedAt: timestamp.nullable().meta({ description: "When the last answer ended; null while one is given" }),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const messageSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  role: z.enum(["user", "assistant"]),
  content: z.array(contentBlock),
  costUsd: z.number().nullable(),
  durationMs: z.number().int().nullable(),
  createdAt: timestamp,
});
export type Message = z.infer<typeof messageSchema>;

export const conversationDetailSchema = conversationSchema.extend({
  lastSeq: z.number().int().meta({ description: "What chat:resume takes as afterSeq to go on from these messages" }),
  messages: z.array(messageSchema),
});
export type ConversationDetail = z.infer<typeof conversationDetailSchema>;

export const listConversationsInput = z.object({
  search: z.string().optional(),
  limit: z.number().int().min(1).max(1000).default(50),
  cursor: cursorInput,
});
export type ListConversations = z.output<typeof listConversationsInput>;
