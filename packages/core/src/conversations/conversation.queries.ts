import type { Pool, PoolClient } from "@workspace/db";
import { textOf, type ContentBlock } from "../models/content-block.ts";
import { toSearchPattern, toSearchText } from "../platform/fold-text.ts";
import { toDecimalUsd, type NanoUsd } from "../platform/money.ts";
import type { AbandonedWork } from "../platform/process-registry.ts";
import type { Conversation, ConversationStatus, ListConversations, Message } from "./conversation.schema.ts";

type Queryable = Pool | PoolClient;

const COLUMNS = `
  c.id, c.session_id AS "sessionId", c.title, c.summary, c.status, c.error_message AS "errorMessage",
  c.total_cost_usd AS "totalCostUsd", c.is_cost_known AS "isCostKnown", c.message_count AS "messageCount",
  c.started_at AS "startedAt", c.ended_at AS "endedAt"`;

const MESSAGE_COLUMNS = `
  id, conversation_id AS "conversationId", role, content, cost_usd AS "costUsd", duration_ms AS "durationMs",
  created_at AS "createdAt"`;

/** The newest by their start, of which a message contains the text, after a position. */
export async function selectConversations(
  pool: Pool,
  {
    search,
    limit,
    after,
  }: Omit<ListConversations, "cursor"> & { after: readonly [startedAt: string, id: string] | undefined },
): Promise<Conversation[]> {
  const conditions = ["true"];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  if (search !== undefined && search !== "") {
    // A title is the beginning of the first message, so it is searched too.
    conditions.push(
      `c.id IN (SELECT conversation_id FROM messages WHERE search_text LIKE ${bind(toSearchPattern(search))})`,
    );
  }
  if (after !== undefined) {
    conditions.push(`(c.started_at, c.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
  }
  const { rows } = await pool.query<Conversation>(
    `SELECT ${COLUMNS} FROM conversations c WHERE ${conditions.join(" AND ")}
     ORDER BY c.started_at DESC, c.id DESC LIMIT ${bind(limit)}`,
    values,
  );
  return rows;
}

export interface StoredConversation extends Conversation {
  /** The last event whose effect is in the messages. */
  readonly lastSeq: number;
  readonly processId: string | null;
}

export async function selectConversation(db: Queryable, id: string): Promise<StoredConversation | null> {
  const { rows } = await db.query<StoredConversation>(
    `SELECT ${COLUMNS}, c.last_seq AS "lastSeq", c.process_id AS "processId" FROM conversations c WHERE c.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Holds the conversation until the transaction ends. */
export async function selectConversationForUpdate(db: PoolClient, id: string): Promise<StoredConversation | null> {
  const { rows } = await db.query<StoredConversation>(
    `SELECT ${COLUMNS}, c.last_seq AS "lastSeq", c.process_id AS "processId" FROM conversations c WHERE c.id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0] ?? null;
}

export async function insertConversation(
  db: Queryable,
  conversation: { id: string; sessionId: string; title: string; creatorId: string; startedAt: Date },
): Promise<void> {
  const { id, sessionId, title, creatorId, startedAt } = conversation;
  await db.query(
    "INSERT INTO conversations (id, session_id, title, creator_id, started_at) VALUES ($1, $2, $3, $4, $5)",
    [id, sessionId, title, creatorId, startedAt],
  );
}

export async function deleteConversation(db: Queryable, id: string): Promise<{ title: string } | null> {
  const { rows } = await db.query<{ title: string }>("DELETE FROM conversations WHERE id = $1 RETURNING title", [id]);
  return rows[0] ?? null;
}

/** The messages as they were when the conversation's last event was the given one, or later ones too; oldest first. */
export async function selectMessages(db: Queryable, conversationId: string, lastSeq?: number): Promise<Message[]> {
  const { rows } = await db.query<Message>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = $1 AND ($2::int IS NULL OR after_seq <= $2)
     ORDER BY created_at, id`,
    [conversationId, lastSeq ?? null],
  );
  return rows;
}

/** A message that was sent before with this id of the sender's own. */
export async function selectSentMessage(
  db: Queryable,
  senderId: string,
  requestId: string,
): Promise<{ conversationId: string; afterSeq: number; isFirst: boolean } | null> {
  const { rows } = await db.query<{ conversationId: string; afterSeq: number; isFirst: boolean }>(
    `SELECT conversation_id AS "conversationId", after_seq AS "afterSeq", after_seq = 0 AS "isFirst"
     FROM messages WHERE sender_id = $1 AND request_id = $2`,
    [senderId, requestId],
  );
  return rows[0] ?? null;
}

/** Stores what a user says; false where the sender has used the request id before. */
export async function insertUserMessage(
  db: PoolClient,
  message: {
    id: string;
    conversationId: string;
    text: string;
    senderId: string;
    requestId: string | null;
    afterSeq: number;
    createdAt: Date;
  },
): Promise<boolean> {
  const content: ContentBlock[] = [{ type: "text", text: message.text }];
  const { rowCount } = await db.query(
    `INSERT INTO messages (id, conversation_id, role, content, sender_id, request_id, after_seq, search_text, created_at)
     VALUES ($1, $2, 'user', $3, $4, $5, $6, $7, $8) ON CONFLICT (sender_id, request_id) DO NOTHING`,
    [
      message.id,
      message.conversationId,
      JSON.stringify(content),
      message.senderId,
      message.requestId,
      message.afterSeq,
      toSearchText(message.text),
      message.createdAt,
    ],
  );
  return rowCount === 1;
}

/** The beginning of an answer: the message that it answers is counted, and the process that gives it is named. */
export async function beginAnswer(db: PoolClient, conversationId: string, processId: string): Promise<void> {
  await db.query(
    `UPDATE conversations SET status = 'streaming', error_message = NULL, ended_at = NULL, process_id = $2,
       interrupt_requested_at = NULL, message_count = message_count + 1
     WHERE id = $1`,
    [conversationId, processId],
  );
}

/** An answer as it is stored when it has ended. */
export interface EndedAnswer {
  readonly messageId: string;
  readonly conversationId: string;
  readonly content: readonly ContentBlock[];
  readonly cost: NanoUsd;
  readonly durationMs: number;
  readonly status: Exclude<ConversationStatus, "streaming">;
  readonly errorMessage: string | null;
  /** The number of the event that told of the end. */
  readonly lastSeq: number;
  readonly endedAt: Date;
}

const SUMMARY_LENGTH = 200;

/** Stores what was answered, unless it is nothing, and that nobody answers any more. */
export async function endAnswer(db: PoolClient, answer: EndedAnswer): Promise<void> {
  const { conversationId, content, endedAt } = answer;
  const text = textOf(content);
  if (content.length > 0) {
    await db.query(
      `INSERT INTO messages (id, conversation_id, role, content, cost_usd, duration_ms, after_seq, search_text, created_at)
       VALUES ($1, $2, 'assistant', $3, $4, $5, $6, $7, $8)`,
      [
        answer.messageId,
        conversationId,
        JSON.stringify(content),
        toDecimalUsd(answer.cost),
        answer.durationMs,
        answer.lastSeq,
        toSearchText(text),
        endedAt,
      ],
    );
  }
  await db.query(
    `UPDATE conversations SET status = $2, error_message = $3, last_seq = $4, ended_at = $5, process_id = NULL,
       interrupt_requested_at = NULL, message_count = message_count + $6,
       summary = CASE WHEN $7 = '' THEN summary ELSE $7 END
     WHERE id = $1`,
    [
      conversationId,
      answer.status,
      answer.errorMessage,
      answer.lastSeq,
      endedAt,
      content.length > 0 ? 1 : 0,
      text.slice(0, SUMMARY_LENGTH).toWellFormed(),
    ],
  );
}

/** Adds the cost of a call. Costs add up over a conversation. */
export async function addConversationCost(
  db: PoolClient,
  conversationId: string,
  { cost, isCostKnown }: { cost: NanoUsd; isCostKnown: boolean },
): Promise<void> {
  await db.query(
    `UPDATE conversations SET total_cost_usd = total_cost_usd + $2, is_cost_known = is_cost_known AND $3 WHERE id = $1`,
    [conversationId, toDecimalUsd(cost), isCostKnown],
  );
}

/** Asks for the end of the answer that is being given; says whether one is. */
export async function requestInterrupt(db: Queryable, conversationId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    "UPDATE conversations SET interrupt_requested_at = $2 WHERE id = $1 AND status = 'streaming'",
    [conversationId, now],
  );
  return rowCount === 1;
}

/** Those of the given conversations whose answer by this process is to be stopped: asked for, deleted, or taken away. */
export async function selectToBeStopped(
  db: Queryable,
  conversationIds: readonly string[],
  processId: string,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT asked.id FROM unnest($1::uuid[]) AS asked (id) LEFT JOIN conversations c ON c.id = asked.id
     WHERE c.id IS NULL OR c.interrupt_requested_at IS NOT NULL OR c.process_id IS DISTINCT FROM $2`,
    [conversationIds, processId],
  );
  return rows.map(({ id }) => id);
}

/** Conversations whose answer is abandoned. */
export async function selectAbandoned(
  db: Queryable,
  { processId, activeIds, lostBefore }: AbandonedWork,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT c.id FROM conversations c WHERE c.status = 'streaming' AND (
       NOT EXISTS (SELECT FROM server_processes p WHERE p.id = c.process_id)
       OR (c.process_id = $1 AND c.id <> ALL($2::uuid[])
         AND (SELECT max(m.created_at) FROM messages m WHERE m.conversation_id = c.id) < $3)
     )`,
    [processId, activeIds, lostBefore],
  );
  return rows.map(({ id }) => id);
}
