import type { Pool, PoolClient } from "@workspace/db";
import type { ChatEvent } from "../realtime/frames.ts";

type Queryable = Pool | PoolClient;

export interface NumberedChatEvent {
  readonly seq: number;
  readonly event: ChatEvent;
}

/** Numbers the events from `firstSeq` on. */
export async function insertChatEvents(
  db: Queryable,
  {
    conversationId,
    firstSeq,
    events,
    now,
  }: { conversationId: string; firstSeq: number; events: readonly ChatEvent[]; now: Date },
): Promise<void> {
  await db.query({
    name: "insert-chat-events",
    text: `
      INSERT INTO chat_events (conversation_id, seq, event, created_at)
      SELECT $1, $2 + place - 1, event, $4 FROM unnest($3::jsonb[]) WITH ORDINALITY AS given (event, place)`,
    values: [conversationId, firstSeq, events.map((event) => JSON.stringify(event)), now],
  });
}

/** The events after a number, at most `limit`, in order. */
export async function selectChatEventsAfter(
  db: Queryable,
  conversationId: string,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<NumberedChatEvent[]> {
  const { rows } = await db.query<NumberedChatEvent>({
    name: "select-chat-events-after",
    text: "SELECT seq, event FROM chat_events WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    values: [conversationId, afterSeq, limit],
  });
  return rows;
}

/** The number of the last event; 0 where there is none. */
export async function selectLastChatSeq(db: Queryable, conversationId: string): Promise<number> {
  const { rows } = await db.query<{ lastSeq: number }>(
    `SELECT coalesce(max(seq), 0) AS "lastSeq" FROM chat_events WHERE conversation_id = $1`,
    [conversationId],
  );
  return rows[0]?.lastSeq ?? 0;
}

/** Forgets the events of answers that have ended long ago; their text is in the messages. */
export async function deleteChatEventsBefore(db: Queryable, before: Date): Promise<void> {
  await db.query(
    `DELETE FROM chat_events e USING conversations c
     WHERE e.created_at < $1 AND c.id = e.conversation_id AND e.seq <= c.last_seq`,
    [before],
  );
}
