import {
  column,
  ConversationStatus,
  defineCommand,
  defineComposedQuery,
  defineQuery,
  type PoolClient,
  type Queryable,
  type RowOf,
} from "@workspace/db";
import { findExcerpt } from "../../knowledge/documents/excerpt.ts";
import { toSearchPattern, toSearchText } from "../../platform/fold-text.ts";
import { inTurns } from "../../platform/in-slices.ts";
import { toDecimalUsd, type NanoUsd } from "../../platform/money.ts";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { AbandonedWork } from "../../platform/process-registry.ts";
import { textOf, type ContentBlock } from "../gateway/content-block.ts";
import type { FoundConversation, ListConversations, ModelChoice } from "./conversation.schema.ts";
import { insertAssistantMessage } from "./message.queries.ts";

const CONVERSATION = {
  id: column.uuid,
  sessionId: column.text,
  title: column.text,
  summary: column.text,
  status: column.oneOf(ConversationStatus),
  errorMessage: column.text.nullable,
  totalCostUsd: column.numeric,
  isCostKnown: column.boolean,
  messageCount: column.integer,
  startedAt: column.timestamp,
  endedAt: column.timestamp.nullable,
  model: column.json.as<ModelChoice>().nullable,
};

const COLUMNS = `
  c.id, c.session_id AS "sessionId", c.title, c.summary, c.status, c.error_message AS "errorMessage",
  c.total_cost_usd AS "totalCostUsd", c.is_cost_known AS "isCostKnown", c.message_count AS "messageCount",
  c.started_at AS "startedAt", c.ended_at AS "endedAt",
  CASE WHEN c.model_name IS NOT NULL
    THEN jsonb_build_object('endpoint', c.model_endpoint, 'model', c.model_name) END AS model`;

type ConversationSearch = Pick<ListConversations, "search"> & PageRange<TimeAndId>;

const conversationsByAge = defineComposedQuery({
  name: "select-conversations",
  row: {
    ...CONVERSATION,
    matchId: column.uuid.nullable,
    matchContent: column.json.as<ContentBlock[]>().nullable,
  },
  compose: ({ search, limit, after }: ConversationSearch, bind) => {
    const conditions = ["true"];
    let match = `SELECT NULL::uuid AS id, NULL::jsonb AS content`;
    if (search !== undefined && search !== "") {
      const pattern = bind(toSearchPattern(search));
      // A title that nobody has chosen is the beginning of the first message.
      conditions.push(
        `(c.id IN (SELECT conversation_id FROM messages WHERE search_text LIKE ${pattern}) OR c.title_search LIKE ${pattern})`,
      );
      match = `
        SELECT id, content FROM messages WHERE conversation_id = c.id AND search_text LIKE ${pattern}
        ORDER BY created_at DESC, id DESC LIMIT 1`;
    }
    if (after !== undefined) {
      conditions.push(`(c.started_at, c.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    }
    return `
      SELECT ${COLUMNS}, m.id AS "matchId", m.content AS "matchContent"
      FROM conversations c LEFT JOIN LATERAL (${match}) m ON true WHERE ${conditions.join(" AND ")}
      ORDER BY c.started_at DESC, c.id DESC LIMIT ${bind(limit)}`;
  },
  examples: [
    { search: "a", limit: 1, after: ["", ""] },
    { limit: 1, after: undefined },
  ],
});

/** Conversations with a message or a chosen title that contains the search text, most recently started first, after a position. */
export async function selectConversations(db: Queryable, search: ConversationSearch): Promise<FoundConversation[]> {
  const found: FoundConversation[] = [];
  for await (const { matchId, matchContent, ...conversation } of inTurns(await conversationsByAge.all(db, search))) {
    const excerpt = matchId === null ? null : await findExcerpt(textOf(matchContent ?? []), [search.search ?? ""]);
    found.push({ ...conversation, match: matchId === null ? null : { messageId: matchId, excerpt: excerpt ?? "" } });
  }
  return found;
}

const STORED_CONVERSATION = {
  ...CONVERSATION,
  /** The last event that is reflected in the messages. */
  lastSeq: column.integer,
  processId: column.uuid.nullable,
};
export type StoredConversation = Readonly<RowOf<typeof STORED_CONVERSATION>>;

const SELECT_STORED = `
  SELECT ${COLUMNS}, c.last_seq AS "lastSeq", c.process_id AS "processId" FROM conversations c WHERE c.id = $1`;

const conversationById = defineQuery({ name: "select-conversation", row: STORED_CONVERSATION, text: SELECT_STORED });

export function selectConversation(db: Queryable, id: string): Promise<StoredConversation | null> {
  return conversationById.first(db, [id]);
}

const lockedConversation = defineQuery({
  name: "select-conversation-for-update",
  row: STORED_CONVERSATION,
  text: `${SELECT_STORED} FOR UPDATE`,
});

/** Locks the conversation until the transaction ends. */
export function selectConversationForUpdate(db: PoolClient, id: string): Promise<StoredConversation | null> {
  return lockedConversation.first(db, [id]);
}

const newConversation = defineCommand({
  name: "insert-conversation",
  text: `
    INSERT INTO conversations (id, session_id, title, creator_id, started_at, model_name, model_endpoint)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
});

export async function insertConversation(
  db: Queryable,
  conversation: {
    id: string;
    sessionId: string;
    title: string;
    creatorId: string;
    startedAt: Date;
    model: ModelChoice | null;
  },
): Promise<void> {
  const { id, sessionId, title, creatorId, startedAt, model } = conversation;
  await newConversation.run(db, [
    id,
    sessionId,
    title,
    creatorId,
    startedAt,
    model?.model ?? null,
    model?.endpoint ?? null,
  ]);
}

const renamed = defineCommand({
  name: "rename-conversation",
  text: "UPDATE conversations SET title = $2, title_search = $3 WHERE id = $1",
});

/** Gives the conversation another title. */
export async function renameConversation(db: PoolClient, id: string, title: string): Promise<void> {
  await renamed.run(db, [id, title, toSearchText(title)]);
}

const modelChosen = defineCommand({
  name: "choose-conversation-model",
  text: "UPDATE conversations SET model_name = $2, model_endpoint = $3 WHERE id = $1",
});

/** Chooses the model that answers; null for that of the settings. */
export async function chooseConversationModel(db: PoolClient, id: string, model: ModelChoice | null): Promise<void> {
  await modelChosen.run(db, [id, model?.model ?? null, model?.endpoint ?? null]);
}

const deletedConversation = defineQuery({
  name: "delete-conversation",
  row: { title: column.text },
  text: "DELETE FROM conversations WHERE id = $1 RETURNING title",
});

export function deleteConversation(db: Queryable, id: string): Promise<{ title: string } | null> {
  return deletedConversation.first(db, [id]);
}

const beginning = defineCommand({
  name: "begin-answer",
  text: `
    UPDATE conversations SET status = 'streaming', error_message = NULL, ended_at = NULL, process_id = $2,
      interrupt_requested_at = NULL, message_count = message_count + $3, answer_began_at = $4
    WHERE id = $1`,
});

/** Marks the conversation as being answered by a process, and counts the messages that were added for it. */
export async function beginAnswer(
  db: PoolClient,
  conversationId: string,
  { processId, addedMessages, now }: { processId: string; addedMessages: number; now: Date },
): Promise<void> {
  await beginning.run(db, [conversationId, processId, addedMessages, now]);
}

/** An answer that has ended, as stored. */
export interface EndedAnswer {
  readonly messageId: string;
  readonly conversationId: string;
  /** The message that it answers. */
  readonly parentId: string;
  readonly content: readonly ContentBlock[];
  /** Null if no model was asked. */
  readonly model: string | null;
  readonly cost: NanoUsd;
  readonly isCostKnown: boolean;
  readonly durationMs: number;
  readonly status: Exclude<ConversationStatus, "streaming">;
  readonly errorMessage: string | null;
  /** The number of the event that ended it. */
  readonly lastSeq: number;
  readonly endedAt: Date;
}

const SUMMARY_LENGTH = 200;

const endedAnswer = defineCommand({
  name: "end-answer",
  text: `
    UPDATE conversations SET status = $2, error_message = $3, last_seq = $4, ended_at = $5, process_id = NULL,
      interrupt_requested_at = NULL, message_count = message_count + $6,
      summary = CASE WHEN $7 = '' THEN summary ELSE $7 END
    WHERE id = $1`,
});

/** Stores the answer, unless it is empty, and marks the conversation as no longer being answered. */
export async function endAnswer(db: PoolClient, answer: EndedAnswer): Promise<void> {
  const text = textOf(answer.content);
  const hasContent = answer.content.length > 0;
  if (hasContent) await insertAssistantMessage(db, answer, text);
  await endedAnswer.run(db, [
    answer.conversationId,
    answer.status,
    answer.errorMessage,
    answer.lastSeq,
    answer.endedAt,
    hasContent ? 1 : 0,
    text.slice(0, SUMMARY_LENGTH).toWellFormed(),
  ]);
}

const addedCost = defineCommand({
  name: "add-conversation-cost",
  text: `
    UPDATE conversations SET total_cost_usd = total_cost_usd + $2, is_cost_known = is_cost_known AND $3 WHERE id = $1`,
});

/** Adds the cost of a call. Costs add up over a conversation. */
export async function addConversationCost(
  db: PoolClient,
  conversationId: string,
  { cost, isCostKnown }: { cost: NanoUsd; isCostKnown: boolean },
): Promise<void> {
  await addedCost.run(db, [conversationId, toDecimalUsd(cost), isCostKnown]);
}

const requestedInterrupt = defineCommand({
  name: "request-interrupt",
  text: "UPDATE conversations SET interrupt_requested_at = $2 WHERE id = $1 AND status = 'streaming'",
});

/** Requests that the answer in progress be stopped. Returns whether there is one. */
export async function requestInterrupt(db: Queryable, conversationId: string, now: Date): Promise<boolean> {
  return (await requestedInterrupt.run(db, [conversationId, now])) === 1;
}

const toBeStopped = defineQuery({
  name: "select-to-be-stopped",
  row: { id: column.uuid.neverNull },
  text: `
    SELECT asked.id FROM unnest($1::uuid[]) AS asked (id) LEFT JOIN conversations c ON c.id = asked.id
    WHERE c.id IS NULL OR c.interrupt_requested_at IS NOT NULL OR c.process_id IS DISTINCT FROM $2`,
});

/** Those of the given conversations whose answer this process must stop: interrupted, deleted, or taken over. */
export async function selectToBeStopped(
  db: Queryable,
  conversationIds: readonly string[],
  processId: string,
): Promise<string[]> {
  return (await toBeStopped.all(db, [conversationIds, processId])).map(({ id }) => id);
}

const abandoned = defineQuery({
  name: "select-abandoned-conversations",
  row: { id: column.uuid },
  text: `
    SELECT c.id FROM conversations c WHERE c.status = 'streaming' AND (
      NOT EXISTS (SELECT FROM server_processes p WHERE p.id = c.process_id)
      OR (c.process_id = $1 AND c.id <> ALL($2::uuid[])
        AND coalesce(c.answer_began_at,
          (SELECT max(m.created_at) FROM messages m WHERE m.conversation_id = c.id)) < $3)
    )`,
});

/** Conversations with an abandoned answer. */
export async function selectAbandoned(
  db: Queryable,
  { processId, activeIds, lostBefore }: AbandonedWork,
): Promise<string[]> {
  return (await abandoned.all(db, [processId, activeIds, lostBefore])).map(({ id }) => id);
}
