import type { Db, Listener } from "@workspace/db";
import { NotFoundError } from "../platform/errors.ts";
import { isUuid } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { Closable } from "../platform/repeat.ts";
import { createSingleFlight, type SingleFlight } from "../platform/single-flight.ts";
import { selectChatEventsAfter, selectLastChatSeq, type NumberedChatEvent } from "./chat-event.queries.ts";
import { CHAT_CHANNEL } from "./chat-journal.ts";
import { selectConversation } from "./conversation.queries.ts";

/** Small, because an event may be large, and a batch is in memory several times over while it is passed on. */
const READ_BATCH = 50;

export interface FeedSubscriber {
  /** Events in order, each once. */
  onEvents(events: readonly NumberedChatEvent[]): void;
  /** Events up to this number are gone, or never were: the conversation has to be read again. */
  onGap(lastSeq: number): void;
}

/** Tells who listens of a conversation's events, in whichever process they arise. */
export interface ConversationFeed extends Closable {
  /**
   * Tells of every event after `afterSeq`, past and to come; resolves when the past is told. Returns how to end it. Throws {@link NotFoundError} where
   * there is no such conversation.
   */
  subscribe(conversationId: string, afterSeq: number, subscriber: FeedSubscriber): Promise<() => void>;
  start(): Promise<void>;
}

interface Subscription extends FeedSubscriber {
  /** The last event that the subscriber was told of. */
  cursor: number;
}

interface Conversation {
  readonly subscriptions: Set<Subscription>;
  readonly reading: SingleFlight;
}

export function createConversationFeed({
  db,
  listener,
  logger,
}: {
  db: Db;
  listener: Listener;
  logger: Logger;
}): ConversationFeed {
  const conversations = new Map<string, Conversation>();
  const closers: (() => unknown)[] = [];

  /** One read for all subscribers, from the one that is furthest behind. */
  async function readOn(conversationId: string, subscriptions: ReadonlySet<Subscription>): Promise<void> {
    while (subscriptions.size > 0) {
      // Who comes while this is read may need earlier events, and has a read of its own begun.
      const readers = [...subscriptions];
      const afterSeq = Math.min(...readers.map(({ cursor }) => cursor));
      const events = await selectChatEventsAfter(db.pool, conversationId, { afterSeq, limit: READ_BATCH });
      for (const reader of readers) if (subscriptions.has(reader)) deliver(reader, events);
      if (events.length < READ_BATCH) return;
    }
  }

  function deliver(subscription: Subscription, events: readonly NumberedChatEvent[]): void {
    const fresh = events.filter(({ seq }) => seq > subscription.cursor);
    const [first] = fresh;
    if (first === undefined) return;
    if (first.seq > subscription.cursor + 1) subscription.onGap(first.seq - 1);
    subscription.cursor = fresh.at(-1)?.seq ?? subscription.cursor;
    subscription.onEvents(fresh);
  }

  function open(conversationId: string): Conversation {
    const known = conversations.get(conversationId);
    if (known !== undefined) return known;
    const subscriptions = new Set<Subscription>();
    const reading = createSingleFlight(
      () => readOn(conversationId, subscriptions),
      (error) => logger.warn({ err: error, conversationId }, "chat events could not be read"),
    );
    const conversation = { subscriptions, reading };
    conversations.set(conversationId, conversation);
    return conversation;
  }

  return {
    async subscribe(conversationId, afterSeq, subscriber) {
      const stored = isUuid(conversationId) ? await selectConversation(db.pool, conversationId) : null;
      if (stored === null) throw new NotFoundError("There is no such conversation.");
      const lastSeq = Math.max(stored.lastSeq, await selectLastChatSeq(db.pool, conversationId));
      const [next] = await selectChatEventsAfter(db.pool, conversationId, { afterSeq, limit: 1 });
      // The text of ended answers is in the messages; their events are kept for a while only.
      const isBroken = afterSeq > lastSeq || (afterSeq < lastSeq && next?.seq !== afterSeq + 1);
      const subscription: Subscription = { ...subscriber, cursor: isBroken ? stored.lastSeq : afterSeq };
      if (isBroken) subscriber.onGap(stored.lastSeq);
      const conversation = open(conversationId);
      conversation.subscriptions.add(subscription);
      conversation.reading.run();
      // Whoever asks for much is told one thing after the other.
      await conversation.reading.idle();
      return () => {
        conversation.subscriptions.delete(subscription);
        if (conversation.subscriptions.size === 0) conversations.delete(conversationId);
      };
    },

    async start() {
      closers.push(await listener.listen(CHAT_CHANNEL, (id) => conversations.get(id)?.reading.run()));
      const readAll = (isListening: boolean) => {
        if (!isListening) return;
        for (const { reading } of conversations.values()) reading.run();
      };
      closers.push(listener.onConnectionChange(readAll));
    },

    async close() {
      for (const close of closers.splice(0).toReversed()) await close();
      await Promise.all([...conversations.values()].map(({ reading }) => reading.idle()));
      conversations.clear();
    },
  };
}
