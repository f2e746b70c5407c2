import * as z from "zod";
import { ACTIONS } from "../events.ts";
import { INT4_MAX } from "../number-range.ts";
import { effectSchema } from "../procedures/effect.ts";
import { timestamp } from "../procedures/response.ts";
import { RESOURCE_KINDS } from "../resources.ts";

/*
 * The protocol of the WebSocket at /api/ws: JSON in text frames. The dashboard and other clients import their types from
 * here.
 */

const conversationId = z.string().max(100);
const MAX_MESSAGE_LENGTH = 100_000;
const MAX_MENTIONS = 10;
const MAX_ATTACHMENTS = 10;

/** What a message can mention. */
export const MENTION_KINDS = ["task", "document", "memory"] as const;
export const mentionKey = z.object({ kind: z.enum(MENTION_KINDS), id: z.string().max(100) });
export type MentionKey = z.infer<typeof mentionKey>;

const chatSend = z
  .object({
    type: z.literal("chat:send"),
    message: z
      .string()
      .max(MAX_MESSAGE_LENGTH, "must be at most 100,000 characters")
      .describe("May be empty if files come with it"),
    conversationId: conversationId.nullish(),
    requestId: z.string().min(1).max(200).nullish(),
    afterMessageId: z
      .string()
      .max(100)
      .nullish()
      .describe(
        "The message that it follows: another one than the last begins a branch, and null begins the conversation once more. By default, the last message.",
      ),
    mentions: z
      .array(mentionKey)
      .max(MAX_MENTIONS, `must be at most ${MAX_MENTIONS}`)
      .nullish()
      .describe("What it mentions: the model is given that as it is when the message is sent"),
    attachments: z
      .array(z.string().max(100))
      .max(MAX_ATTACHMENTS, `must be at most ${MAX_ATTACHMENTS}`)
      .nullish()
      .describe("The ids of files that were uploaded for it"),
    model: z
      .object({ endpoint: z.string().max(40).nullable(), model: z.string().trim().min(1).max(200) })
      .nullish()
      .describe("The model for a new conversation; that of the settings by default"),
  })
  .refine(({ message, attachments }) => message.trim() !== "" || (attachments ?? []).length > 0, {
    path: ["message"],
    message: "must not be empty",
  })
  .describe(
    "Sends a message to a new or an existing conversation. A message whose `requestId` was used before is not sent again.",
  );
export type ChatSend = z.infer<typeof chatSend>;

const chatInterrupt = z
  .object({ type: z.literal("chat:interrupt"), conversationId })
  .describe("Stops the answer that is being generated; its text so far is kept.");

const chatResume = z
  .object({ type: z.literal("chat:resume"), conversationId, afterSeq: z.number().int().min(0).max(INT4_MAX) })
  .describe("Subscribes to a conversation: replays the events after `afterSeq`, then sends new ones as they happen.");

const chatApprove = z
  .object({
    type: z.literal("chat:approve"),
    conversationId,
    approvalId: z.string().max(100),
    decision: z.enum(["allow", "deny"]),
  })
  .describe("Allows or denies the call of a `chat:approval_request`. The first decision counts.");
export type ChatApprove = z.infer<typeof chatApprove>;

const ping = z.object({ type: z.literal("ping") }).describe("Asks for a `pong`.");

export const clientFrame = z.discriminatedUnion("type", [chatSend, chatInterrupt, chatResume, chatApprove, ping]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** An event of an answer. `seq` counts within the conversation, without gaps. */
export const chatEvent = z.discriminatedUnion("type", [
  z
    .object({
      type: z.literal("chat:stream_start"),
      messageId: z.string().describe("The answer"),
      userMessageId: z.string().describe("The message that it answers"),
      model: z.string(),
    })
    .describe("An answer begins."),
  z.object({ type: z.literal("chat:text_delta"), delta: z.string() }).describe("The answer goes on."),
  z
    .object({
      type: z.literal("chat:tool_start"),
      toolUseId: z.string(),
      toolName: z.string(),
      input: z.record(z.string(), z.unknown()),
    })
    .describe("The model calls a tool."),
  z
    .object({
      type: z.literal("chat:tool_end"),
      toolUseId: z.string(),
      result: z.string().describe("Truncated to 5,000 characters"),
      isError: z.boolean(),
    })
    .describe("A tool has answered."),
  z
    .object({
      type: z.literal("chat:approval_request"),
      approvalId: z.string(),
      toolUseId: z.string(),
      toolName: z.string(),
      input: z.record(z.string(), z.unknown()),
      effect: effectSchema,
      subject: z.string().nullable().describe("The target, for people"),
      source: z.string(),
      expiresAt: timestamp,
    })
    .describe(
      "The most recent call needs approval: it would delete, overwrite or send something, and the model has read text from `source` that the user may not have written. Until `expiresAt`, `chat:approve` decides.",
    ),
  z
    .object({
      type: z.literal("chat:approval_end"),
      approvalId: z.string(),
      toolUseId: z.string(),
      outcome: z.enum(["allowed", "denied", "expired", "stopped"]),
    })
    .describe("The outcome of an approval request. The call is made only if it was allowed."),
  z
    .object({
      type: z.literal("chat:stream_end"),
      costUsd: z.number(),
      isCostKnown: z.boolean(),
      durationMs: z.number(),
    })
    .describe("The answer is complete."),
  z.object({ type: z.literal("chat:interrupted") }).describe("The answer was stopped; its text so far is kept."),
  z.object({ type: z.literal("chat:error"), message: z.string() }).describe("The answer failed."),
]);
export type ChatEvent = z.infer<typeof chatEvent>;

/** What every event of an answer has when it is sent. */
export const inConversation = z.object({ conversationId: z.string(), seq: z.number().int() });

/** Frames that are not about an answer. */
export const otherServerFrames = [
  z
    .object({ type: z.literal("connected"), userId: z.string(), lastSeq: z.number().int() })
    .describe("The first frame. All changes sent later come after `lastSeq`."),
  z.object({ type: z.literal("pong") }).describe("The reply to `ping`."),
  z
    .object({ type: z.literal("resync"), lastSeq: z.number().int(), conversationId: z.string().optional() })
    .describe(
      "Events were missed: in one conversation if there is a `conversationId`, otherwise anywhere. Reload the data; what follows comes after `lastSeq`.",
    ),
  z
    .object({
      type: z.literal("resource_change"),
      seq: z.number().int(),
      resource: z.enum(RESOURCE_KINDS),
      action: z.enum(ACTIONS),
      resourceId: z.string(),
      resourceName: z.string().nullable(),
      timestamp,
    })
    .describe("Something was created, changed or deleted, by whomever. `seq` counts all changes."),
  z
    .object({
      type: z.literal("chat:session_created"),
      conversationId: z.string(),
      sessionId: z.string(),
      title: z.string(),
      requestId: z.string().optional().describe("The client's"),
    })
    .describe("The reply to a `chat:send` without a conversation: the new conversation."),
  z
    .object({
      type: z.literal("chat:error"),
      conversationId: z.string().nullable(),
      seq: z.null(),
      message: z.string(),
      requestId: z.string().optional(),
    })
    .describe("A client frame that failed; it had no effect, so this event has no number in a conversation."),
  z
    .object({ type: z.literal("error"), message: z.string() })
    .describe("The client sent something that is not a valid frame."),
] as const;

export const serverFrame = z.union([...otherServerFrames, z.intersection(chatEvent, inConversation)]);
export type ServerFrame = z.infer<typeof serverFrame>;
