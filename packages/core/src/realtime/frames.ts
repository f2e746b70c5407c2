import * as z from "zod";
import { ACTIONS, RESOURCES } from "../platform/events.ts";
import { INT4_MAX } from "../platform/number-range.ts";
import { timestamp } from "../platform/response.ts";
import { toolEffect } from "../tools/tool-effect.ts";

/*
 * What goes over the WebSocket at /api/ws, as JSON in text frames. The dashboard and other clients take their types from
 * here.
 */

const conversationId = z.string().max(100);
const MAX_MESSAGE_LENGTH = 100_000;

/** Asks for an answer, in a new conversation or in an existing one. A `requestId` that was used before sends nothing. */
const chatSend = z.object({
  type: z.literal("chat:send"),
  message: z
    .string()
    .max(MAX_MESSAGE_LENGTH, "must be at most 100,000 characters")
    .refine((text) => text.trim() !== "", "must not be empty"),
  conversationId: conversationId.nullish(),
  requestId: z.string().min(1).max(200).nullish(),
});
export type ChatSend = z.infer<typeof chatSend>;

/** Stops the answer that is being given; its text so far is kept. */
const chatInterrupt = z.object({ type: z.literal("chat:interrupt"), conversationId });

/** Subscribes to a conversation: what came after `afterSeq` is told again, and what comes from now on. */
const chatResume = z.object({
  type: z.literal("chat:resume"),
  conversationId,
  afterSeq: z.number().int().min(0).max(INT4_MAX),
});

/** Decides about the one call that a `chat:approval_request` is about. The first decision counts. */
const chatApprove = z.object({
  type: z.literal("chat:approve"),
  conversationId,
  approvalId: z.string().max(100),
  decision: z.enum(["allow", "deny"]),
});
export type ChatApprove = z.infer<typeof chatApprove>;

const ping = z.object({ type: z.literal("ping") });

export const clientFrame = z.discriminatedUnion("type", [chatSend, chatInterrupt, chatResume, chatApprove, ping]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** A step of an answer. `seq` counts within the conversation, without gaps. */
export const chatEvent = z.discriminatedUnion("type", [
  /** `messageId` is the answer's, `userMessageId` that of what it answers. */
  z.object({
    type: z.literal("chat:stream_start"),
    messageId: z.string(),
    userMessageId: z.string(),
    model: z.string(),
  }),
  z.object({ type: z.literal("chat:text_delta"), delta: z.string() }),
  z.object({
    type: z.literal("chat:tool_start"),
    toolUseId: z.string(),
    toolName: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  /** `result` is cut after 5,000 characters. */
  z.object({ type: z.literal("chat:tool_end"), toolUseId: z.string(), result: z.string(), isError: z.boolean() }),
  /**
   * The call that was started last waits for a person: it would delete, overwrite or send something, and the answer has read
   * text that the user may not have written, from `source`. `subject` is what it would be done to, as people name it. Until `expiresAt` it can be decided with `chat:approve`.
   */
  z.object({
    type: z.literal("chat:approval_request"),
    approvalId: z.string(),
    toolUseId: z.string(),
    toolName: z.string(),
    input: z.record(z.string(), z.unknown()),
    effect: toolEffect,
    subject: z.string().nullable(),
    source: z.string(),
    expiresAt: timestamp,
  }),
  /** How that ended. What is not allowed is not done. */
  z.object({
    type: z.literal("chat:approval_end"),
    approvalId: z.string(),
    toolUseId: z.string(),
    outcome: z.enum(["allowed", "denied", "expired", "stopped"]),
  }),
  z.object({
    type: z.literal("chat:stream_end"),
    costUsd: z.number(),
    isCostKnown: z.boolean(),
    durationMs: z.number(),
  }),
  z.object({ type: z.literal("chat:interrupted") }),
  z.object({ type: z.literal("chat:error"), message: z.string() }),
]);
export type ChatEvent = z.infer<typeof chatEvent>;

const inConversation = z.object({ conversationId: z.string(), seq: z.number().int() });

export const serverFrame = z.union([
  /** The first frame. `lastSeq` is the change that everything later comes after. */
  z.object({ type: z.literal("connected"), userId: z.string(), lastSeq: z.number().int() }),
  z.object({ type: z.literal("pong") }),
  /**
   * Something was missed: with a `conversationId` in that conversation, else anywhere. Read it again; what follows comes
   * after `lastSeq`.
   */
  z.object({ type: z.literal("resync"), lastSeq: z.number().int(), conversationId: z.string().optional() }),
  z.object({
    type: z.literal("resource_change"),
    seq: z.number().int(),
    resource: z.enum(RESOURCES),
    action: z.enum(ACTIONS),
    resourceId: z.string(),
    resourceName: z.string().nullable(),
    timestamp,
  }),
  /** Answers `chat:send` without a conversation: this is the one that was made. `requestId` is the client's own. */
  z.object({
    type: z.literal("chat:session_created"),
    conversationId: z.string(),
    sessionId: z.string(),
    title: z.string(),
    requestId: z.string().optional(),
  }),
  z.intersection(chatEvent, inConversation),
  /** A frame of the client that could not be carried out; nothing of it happened, so it has no number in a conversation. */
  z.object({
    type: z.literal("chat:error"),
    conversationId: z.string().nullable(),
    seq: z.null(),
    message: z.string(),
    requestId: z.string().optional(),
  }),
  /** What the client sent is no frame. */
  z.object({ type: z.literal("error"), message: z.string() }),
]);
export type ServerFrame = z.infer<typeof serverFrame>;
