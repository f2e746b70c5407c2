import type { Db, Listener } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Closable } from "../../platform/repeat.ts";
import { createSingleFlight, type SingleFlight } from "../../platform/single-flight.ts";
import { selectChatEventsAfter, selectLastChatSeq, type NumberedChatEvent } from "./chat-event.queries.ts";
import { CHAT_CHANNEL } from "./chat-journal.ts";
import { selectConversation } from "./conversation.queries.ts";

/** Small, because events can be large, and a batch is in memory several times while it is delivered. */
const READ_BATCH = 50;

export interface FeedSubscriber {
  /** Called with events in order, each once. */
  onEvents(events: readonly NumberedChatEvent[]): void;
  /** Called when events up to this number are not available: the conversation must be reloaded. */
  onGap(lastSeq: number): void;
}

/** Delivers a conversation's events to subscribers, from whichever process they come. */
export interface ConversationFeed extends Closable {
  /**
   * Delivers every event after `afterSeq`, past and future. Resolves once the past events are delivered, with a function that
   * ends the subscription. Throws {@link NotFoundError} if there is no such conversation.
   */
  subscribe(conversationId: string, afterSeq: number, subscriber: FeedSubscriber): Promise<() => void>;
  start(): Promise<void>;
}

interface Subscription extends FeedSubscriber {
  /** The last event delivered to the subscriber. */
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

  /** Delivers all events to all subscribers, with one read at a time for the one furthest behind. */
  async function drain(conversationId: string, subscriptions: ReadonlySet<Subscription>): Promise<void> {
    while (subscriptions.size > 0) {
      // A subscriber that joins during this read may need earlier events, and triggers a read of its own.
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
      () => drain(conversationId, subscriptions),
      (error) => logger.warn({ err: error, conversationId }, "could not read chat events"),
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
      // The events of ended answers are only kept for a while; their text is in the messages.
      const isBroken = afterSeq > lastSeq || (afterSeq < lastSeq && next?.seq !== afterSeq + 1);
      const subscription: Subscription = { ...subscriber, cursor: isBroken ? stored.lastSeq : afterSeq };
      if (isBroken) subscriber.onGap(stored.lastSeq);
      const conversation = open(conversationId);
      conversation.subscriptions.add(subscription);
      conversation.reading.run();
      // Limits a client that resumes many conversations to one at a time.
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
