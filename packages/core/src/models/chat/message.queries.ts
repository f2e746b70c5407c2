import { column, defineCommand, defineQuery, MessageRole, type PoolClient, type Queryable } from "@workspace/db";
import { foldLongText, toSearchText } from "../../platform/fold-text.ts";
import { toDecimalUsd, type NanoUsd } from "../../platform/money.ts";
import type { ContentBlock } from "../gateway/content-block.ts";
import type { Attachment, Mention, Message } from "./conversation.schema.ts";
import type { Enclosed } from "./mentioned-items.ts";

const messagesOfConversation = defineQuery({
  name: "select-messages",
  row: {
    id: column.uuid,
    conversationId: column.uuid,
    role: column.oneOf(MessageRole),
    parentId: column.uuid.nullable,
    content: column.json.as<ContentBlock[]>(),
    mentions: column.json.as<Mention[]>().neverNull,
    attachments: column.json.as<Attachment[]>().neverNull,
    costUsd: column.numeric.nullable,
    isCostKnown: column.boolean,
    durationMs: column.integer.nullable,
    model: column.text.nullable,
    createdAt: column.timestamp,
  },
  text: `
    SELECT id, conversation_id AS "conversationId", role, parent_id AS "parentId", content,
      coalesce(mentions, '[]') AS mentions, coalesce(attachments, '[]') AS attachments, cost_usd AS "costUsd", is_cost_known AS "isCostKnown", duration_ms AS "durationMs", model, created_at AS "createdAt"
    FROM messages WHERE conversation_id = $1 AND ($2::int IS NULL OR after_seq <= $2) ORDER BY created_at, id`,
});

/** The messages up to event `lastSeq`, or all of them; oldest first. */
export async function selectMessages(db: Queryable, conversationId: string, lastSeq?: number): Promise<Message[]> {
  return withParents(conversationId, await messagesOfConversation.all(db, [conversationId, lastSeq ?? null]));
}

/** A message as a model is told it. */
export interface ToldMessage extends Pick<Message, "id" | "parentId" | "role" | "content"> {
  /** What the model is given besides the text of the message: what it mentions. */
  readonly context: string | null;
  readonly attachments: readonly Attachment[];
}

const toldMessages = defineQuery({
  name: "select-told-messages",
  row: {
    id: column.uuid,
    parentId: column.uuid.nullable,
    role: column.oneOf(MessageRole),
    content: column.json.as<ContentBlock[]>(),
    context: column.text.nullable,
    attachments: column.json.as<Attachment[]>().neverNull,
  },
  text: `
    SELECT id, parent_id AS "parentId", role, content, context, coalesce(attachments, '[]') AS attachments FROM messages WHERE conversation_id = $1
    ORDER BY created_at, id`,
});

/** All messages as a model is told them, oldest first. */
export async function selectToldMessages(db: Queryable, conversationId: string): Promise<ToldMessage[]> {
  return withParents(conversationId, await toldMessages.all(db, [conversationId]));
}

/** Where no parent is stored it is the message before; a first message has the conversation as its parent. */
function withParents<Row extends { readonly id: string; readonly parentId: string | null }>(
  conversationId: string,
  rows: readonly Row[],
): Row[] {
  return rows.map((row, index) => {
    const parentId = row.parentId ?? rows[index - 1]?.id ?? null;
    return { ...row, parentId: parentId === conversationId ? null : parentId };
  });
}

const lastMessage = defineQuery({
  name: "select-last-message",
  row: { id: column.uuid },
  text: "SELECT id FROM messages WHERE conversation_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
});

/** The newest message; null if there is none. */
export async function selectLastMessageId(db: Queryable, conversationId: string): Promise<string | null> {
  return (await lastMessage.first(db, [conversationId]))?.id ?? null;
}

const messageRole = defineQuery({
  name: "select-message-role",
  row: { role: column.oneOf(MessageRole) },
  text: "SELECT role FROM messages WHERE conversation_id = $1 AND id = $2",
});

/** Who wrote a message; null if it is not one of the conversation. */
export async function selectMessageRole(
  db: Queryable,
  conversationId: string,
  messageId: string,
): Promise<MessageRole | null> {
  return (await messageRole.first(db, [conversationId, messageId]))?.role ?? null;
}

const sentMessage = defineQuery({
  name: "select-sent-message",
  row: { conversationId: column.uuid, afterSeq: column.integer, isFirst: column.boolean.neverNull },
  text: `
    SELECT conversation_id AS "conversationId", after_seq AS "afterSeq", after_seq = 0 AS "isFirst"
    FROM messages WHERE sender_id = $1 AND request_id = $2`,
});

/** The message that the sender has already sent with this request id. */
export function selectSentMessage(
  db: Queryable,
  senderId: string,
  requestId: string,
): Promise<{ conversationId: string; afterSeq: number; isFirst: boolean } | null> {
  return sentMessage.first(db, [senderId, requestId]);
}

const newUserMessage = defineCommand({
  name: "insert-user-message",
  text: `
    INSERT INTO messages (id, conversation_id, role, parent_id, content, sender_id, request_id, after_seq, search_text,
      created_at, mentions, context, attachments)
    VALUES ($1, $2, 'user', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (sender_id, request_id) DO NOTHING`,
});

/** Stores a user's message. Returns false if the sender has used the request id before. */
export async function insertUserMessage(
  db: PoolClient,
  message: {
    id: string;
    conversationId: string;
    /** The message that it follows, or the conversation. */
    parentId: string;
    text: string;
    enclosed: Enclosed;
    senderId: string;
    requestId: string | null;
    afterSeq: number;
    createdAt: Date;
  },
): Promise<boolean> {
  const content: ContentBlock[] = [{ type: "text", text: message.text }];
  const { mentions, attachments, context } = message.enclosed;
  const added = await newUserMessage.run(db, [
    message.id,
    message.conversationId,
    message.parentId,
    JSON.stringify(content),
    message.senderId,
    message.requestId,
    message.afterSeq,
    toSearchText(message.text),
    message.createdAt,
    mentions.length === 0 ? null : JSON.stringify(mentions),
    context,
    attachments.length === 0 ? null : JSON.stringify(attachments),
  ]);
  return added === 1;
}

/** An answer to store as a message. */
interface AnswerMessage {
  readonly messageId: string;
  readonly conversationId: string;
  /** The message that it answers. */
  readonly parentId: string;
  readonly content: readonly ContentBlock[];
  readonly model: string | null;
  readonly cost: NanoUsd;
  readonly isCostKnown: boolean;
  readonly durationMs: number;
  readonly lastSeq: number;
  readonly endedAt: Date;
}

const newAssistantMessage = defineCommand({
  name: "insert-assistant-message",
  text: `
    INSERT INTO messages (id, conversation_id, role, parent_id, content, model, cost_usd, is_cost_known, duration_ms,
      after_seq, search_text, created_at)
    VALUES ($1, $2, 'assistant', $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
});

/** Stores an answer as a message. `text` is its content as plain text, for searching. */
export async function insertAssistantMessage(db: PoolClient, answer: AnswerMessage, text: string): Promise<void> {
  await newAssistantMessage.run(db, [
    answer.messageId,
    answer.conversationId,
    answer.parentId,
    JSON.stringify(answer.content),
    answer.model,
    toDecimalUsd(answer.cost),
    answer.isCostKnown,
    answer.durationMs,
    answer.lastSeq,
    await foldLongText(text),
    answer.endedAt,
  ]);
}
