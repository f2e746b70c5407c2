import { column, defineCommand, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import type { ChatEvent } from "../../platform/realtime/frames.ts";

const NUMBERED_EVENT = { seq: column.integer, event: column.json.as<ChatEvent>() };
export type NumberedChatEvent = Readonly<RowOf<typeof NUMBERED_EVENT>>;

const newEvents = defineCommand({
  name: "insert-chat-events",
  isPrepared: true,
  text: `
    INSERT INTO chat_events (conversation_id, seq, event, created_at)
    SELECT $1, $2 + place - 1, event, $4 FROM unnest($3::jsonb[]) WITH ORDINALITY AS given (event, place)`,
});

/** Inserts the events, numbered from `firstSeq` on. */
export async function insertChatEvents(
  db: Queryable,
  {
    conversationId,
    firstSeq,
    events,
    now,
  }: { conversationId: string; firstSeq: number; events: readonly ChatEvent[]; now: Date },
): Promise<void> {
  await newEvents.run(db, [conversationId, firstSeq, events.map((event) => JSON.stringify(event)), now]);
}

const eventsAfter = defineQuery({
  name: "select-chat-events-after",
  row: NUMBERED_EVENT,
  isPrepared: true,
  text: "SELECT seq, event FROM chat_events WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
});

/** The events after `afterSeq`, at most `limit`, in order. */
export function selectChatEventsAfter(
  db: Queryable,
  conversationId: string,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<NumberedChatEvent[]> {
  return eventsAfter.all(db, [conversationId, afterSeq, limit]);
}

const lastSeq = defineQuery({
  name: "select-last-chat-seq",
  row: { lastSeq: column.integer.neverNull },
  text: `SELECT coalesce(max(seq), 0) AS "lastSeq" FROM chat_events WHERE conversation_id = $1`,
});

/** The number of the last event; 0 if there is none. */
export async function selectLastChatSeq(db: Queryable, conversationId: string): Promise<number> {
  return (await lastSeq.one(db, [conversationId])).lastSeq;
}

const forgottenEvents = defineCommand({
  name: "delete-chat-events-before",
  text: `
    DELETE FROM chat_events e USING conversations c
    WHERE e.created_at < $1 AND c.id = e.conversation_id AND e.seq <= c.last_seq`,
});

/** Deletes events from before a time whose answers have ended; their text is in the messages. */
export async function deleteChatEventsBefore(db: Queryable, before: Date): Promise<void> {
  await forgottenEvents.run(db, [before]);
}
