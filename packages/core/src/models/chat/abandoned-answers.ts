import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { fromUsd } from "../../platform/money.ts";
import { notify } from "../../platform/notify.ts";
import type { AbandonedWork } from "../../platform/process-registry.ts";
import type { ChatEvent } from "../../platform/realtime/frames.ts";
import type { ContentBlock } from "../gateway/content-block.ts";
import { selectUsageCost } from "../usage/usage.queries.ts";
import { addChatEvent } from "./answer-content.ts";
import { CRASH_MESSAGE } from "./answer-execution.ts";
import { insertChatEvents, selectChatEventsAfter } from "./chat-event.queries.ts";
import { CHAT_CHANNEL } from "./chat-journal.ts";
import {
  endAnswer,
  selectAbandoned,
  selectConversationForUpdate,
  type StoredConversation,
} from "./conversation.queries.ts";

const NO_LIMIT = 1_000_000;

export type AbandonedAnswersDeps = Deps<"db" | "clock" | "events">;

/**
 * Ends abandoned answers: the events already sent to clients become the message, so that no text is lost. Safe to run in
 * several processes at once.
 */
export async function endAbandonedAnswers(
  { db, clock, events }: AbandonedAnswersDeps,
  work: AbandonedWork,
): Promise<void> {
  for (const conversationId of await selectAbandoned(db.pool, work)) {
    const title = await transaction(db.pool, async (client) => {
      const conversation = await selectConversationForUpdate(client, conversationId);
      const isStillAbandoned = (await selectAbandoned(client, work)).includes(conversationId);
      if (conversation === null || !isStillAbandoned) return null;
      await endAbandonedAnswer(client, conversation, clock.now());
      return conversation.title;
    });
    if (title === null) continue;
    await notify(db.pool, CHAT_CHANNEL, conversationId);
    events.publish({ resource: "conversation", action: "fail", resourceId: conversationId, resourceName: title });
  }
}

async function endAbandonedAnswer(client: PoolClient, conversation: StoredConversation, now: Date): Promise<void> {
  const { id: conversationId } = conversation;
  const sent = await selectChatEventsAfter(client, conversationId, { afterSeq: conversation.lastSeq, limit: NO_LIMIT });
  const start = sent.find(({ event }) => event.type === "chat:stream_start")?.event;
  const content = sent.reduce<ContentBlock[]>((blocks, { event }) => addChatEvent(blocks, event), []);
  const lastSeq = (sent.at(-1)?.seq ?? conversation.lastSeq) + 1;
  const ending: ChatEvent = { type: "chat:error", message: CRASH_MESSAGE };
  await insertChatEvents(client, { conversationId, firstSeq: lastSeq, events: [ending], now });

  const began = start?.type === "chat:stream_start" ? start : null;
  const messageId = began?.messageId ?? null;
  const usage = messageId === null ? null : await selectUsageCost(client, messageId);
  await endAnswer(client, {
    messageId: messageId ?? conversationId,
    conversationId,
    content: messageId === null ? [] : content,
    parentId: began?.userMessageId ?? conversationId,
    model: began?.model ?? null,
    cost: fromUsd(usage?.costUsd ?? 0),
    isCostKnown: usage?.isCostKnown ?? true,
    durationMs: 0,
    status: "error",
    errorMessage: CRASH_MESSAGE,
    lastSeq,
    endedAt: now,
  });
}
