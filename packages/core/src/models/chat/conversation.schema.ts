import * as z from "zod";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { mentionKey } from "../../platform/realtime/frames.ts";
import { contentBlock } from "../gateway/content-block.ts";

export const CONVERSATION_STATUSES = ["idle", "streaming", "interrupted", "error"] as const;
export const conversationStatus = z.enum(CONVERSATION_STATUSES);
export type ConversationStatus = z.infer<typeof conversationStatus>;

export const modelChoiceSchema = z
  .object({
    endpoint: z
      .string()
      .max(40)
      .nullable()
      .meta({ description: "The id of an endpoint in the settings; null for that of the environment" }),
    model: z.string().trim().min(1, "is required").max(200, "must be at most 200 characters"),
  })
  .meta({ id: "ModelChoice", description: "A model that was chosen for a conversation" });

export type ModelChoice = z.infer<typeof modelChoiceSchema>;

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
    model: modelChoiceSchema.nullable().meta({ description: "The model that answers; null for that of the settings" }),
  })
  .meta({ id: "Conversation" });
export type Conversation = z.infer<typeof conversationSchema>;

export const mentionSchema = mentionKey
  .extend({ title: z.string().meta({ description: "As it was when the message was sent" }) })
  .meta({ id: "Mention" });
export type Mention = z.infer<typeof mentionSchema>;

export const attachmentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    mediaType: z.string().meta({ description: "text/plain, or that of the image" }),
    size: z.number().int().meta({ description: "In bytes" }),
  })
  .meta({ id: "ChatAttachment" });
export type Attachment = z.infer<typeof attachmentSchema>;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MAX_BASE64_CHARACTERS = 7_000_000;

export const attachInput = z.object({
  name: z.string().trim().min(1, "is required").max(200, "must be at most 200 characters"),
  content: z
    .string()
    .max(MAX_BASE64_CHARACTERS, "must be at most 5 MB")
    .regex(BASE64, "must be base64")
    .meta({ description: "The bytes of the file, in base64" }),
});
export type Attach = z.infer<typeof attachInput>;

export const attachmentDetailSchema = attachmentSchema
  .extend({ content: z.string().meta({ description: "The bytes of the file, in base64" }) })
  .meta({ id: "ChatAttachmentDetail" });
export type AttachmentDetail = z.infer<typeof attachmentDetailSchema>;

export const messageSchema = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    role: z.enum(["user", "assistant"]),
    parentId: z.string().nullable().meta({
      description: "The message that it follows; null for a first one. Those that follow the same one are branches",
    }),
    content: z.array(contentBlock),
    mentions: z.array(mentionSchema).meta({
      description: "What a user's message mentions; the model was given it as it was when the message was sent",
    }),
    attachments: z.array(attachmentSchema).meta({ description: "The files that came with a user's message" }),
    costUsd: z.number().nullable(),
    isCostKnown: z
      .boolean()
      .meta({ description: "False if the answer cost more than `costUsd`, by an unknown amount" }),
    durationMs: z.number().int().nullable(),
    model: z
      .string()
      .nullable()
      .meta({ description: "Which has answered; null for a user's message, and for old answers" }),
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

export const foundConversationSchema = conversationSchema
  .extend({
    match: z
      .object({ messageId: z.string(), excerpt: z.string() })
      .nullable()
      .meta({ description: "With `search`: the last message that contains it; null if only the title does" }),
  })
  .meta({ id: "FoundConversation" });
export type FoundConversation = z.infer<typeof foundConversationSchema>;

export const updateConversationInput = z.object({
  id: z.string(),
  title: z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters").optional(),
  model: modelChoiceSchema
    .nullable()
    .optional()
    .meta({ description: "Answers from the next message on; null for the model of the settings" }),
});
export type UpdateConversation = z.infer<typeof updateConversationInput>;

export const answerAgainInput = z.object({ id: z.string(), messageId: z.string() });
export type AnswerAgain = z.infer<typeof answerAgainInput>;

export const beganAnswerSchema = z
  .object({
    conversationId: z.string(),
    afterSeq: z.number().int().meta({ description: "The events of the answer come after this one: see chat:resume" }),
  })
  .meta({ id: "BeganAnswer" });

export const choosableModelsSchema = z
  .object({
    default: z.string().nullable().meta({ description: "The model of the settings; null if there is none" }),
    endpoints: z.array(
      z.object({
        endpoint: z.string().nullable().meta({ description: "null for the endpoint of the environment" }),
        name: z.string(),
        models: z
          .array(z.object({ model: z.string(), isPriceKnown: z.boolean() }))
          .meta({ description: "At most 1,000, sorted" }),
        problem: z.string().nullable().meta({ description: "Why its models could not be listed" }),
      }),
    ),
  })
  .meta({ id: "ChoosableModels" });
export type ChoosableModels = z.infer<typeof choosableModelsSchema>;

export const listConversationsInput = z.object({
  search: z.string().optional(),
  limit: z.number().int().min(1).max(1000).default(50),
  cursor: cursorInput,
});
export type ListConversations = z.output<typeof listConversationsInput>;
