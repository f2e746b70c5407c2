import { transaction, type Db } from "@workspace/db";
import type { ModelAccess } from "../models/model-access.ts";
import type { Clock } from "../platform/clock.ts";
import { ConflictError, NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import { isUuid, type IdGenerator } from "../platform/ids.ts";
import type { UserPrincipal } from "../platform/principal.ts";
import type { ProcessRegistry } from "../platform/process-registry.ts";
import { assertStorable } from "../platform/storable-input.ts";
import type { ChatApprove, ChatSend } from "../realtime/frames.ts";
import type { PendingAnswer } from "./answer-execution.ts";
import type { AnswerRunner } from "./answer-runner.ts";
import type { Approvals } from "./approvals.ts";
import {
  beginAnswer,
  insertConversation,
  insertUserMessage,
  requestInterrupt,
  selectConversation,
  selectConversationForUpdate,
  selectSentMessage,
} from "./conversation.queries.ts";

const TITLE_LENGTH = 100;

export interface ChatServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly models: ModelAccess;
  readonly runner: AnswerRunner;
  readonly approvals: Approvals;
  readonly processes: ProcessRegistry;
}

/** A message that was sent, now or before. What answers it are the conversation's events after `afterSeq`. */
export interface SentMessage {
  readonly conversationId: string;
  readonly sessionId: string;
  readonly title: string;
  readonly afterSeq: number;
  /** Whether the conversation was made for the message. */
  readonly isFirst: boolean;
}

export type ChatService = ReturnType<typeof createChatService>;

/** Sending messages that a model answers. The answer is the server's: it goes on whoever comes and goes. */
export function createChatService({ db, clock, ids, events, models, runner, approvals, processes }: ChatServiceDeps) {
  /** What was sent before under the request id; null where nothing was. */
  async function findSent(senderId: string, requestId: string | null): Promise<SentMessage | null> {
    const sent = requestId === null ? null : await selectSentMessage(db.pool, senderId, requestId);
    const conversation = sent === null ? null : await selectConversation(db.pool, sent.conversationId);
    if (sent === null || conversation === null) return null;
    return { ...sent, sessionId: conversation.sessionId, title: conversation.title };
  }

  /** Stores the message and that it is being answered. Null where the sender has used the request id before. */
  function storeMessage(
    frame: ChatSend,
    sender: UserPrincipal,
  ): Promise<{ sent: SentMessage; answer: PendingAnswer } | null> {
    const { message, conversationId: givenId = null, requestId = null } = frame;
    const now = clock.now();
    const { processId } = processes;
    return transaction(db.pool, async (client) => {
      if (givenId !== null && !isUuid(givenId)) throw noSuchConversation();
      const id = givenId ?? ids();
      if (givenId === null) {
        const title = message.trim().slice(0, TITLE_LENGTH).toWellFormed();
        await insertConversation(client, { id, sessionId: ids(), title, creatorId: sender.userId, startedAt: now });
      }
      const conversation = await selectConversationForUpdate(client, id);
      if (conversation === null) throw noSuchConversation();
      const { lastSeq, title, sessionId } = conversation;
      const userMessageId = ids();
      const isNew = await insertUserMessage(client, {
        id: userMessageId,
        conversationId: id,
        text: message,
        senderId: sender.userId,
        requestId,
        afterSeq: lastSeq,
        createdAt: now,
      });
      if (!isNew) throw new AlreadySentError();
      if (conversation.status === "streaming") {
        throw new ConflictError("The conversation is still being answered. Interrupt the answer, or wait for it.");
      }
      await beginAnswer(client, id, processId);
      return {
        sent: { conversationId: id, sessionId, title, afterSeq: lastSeq, isFirst: givenId === null },
        answer: {
          conversationId: id,
          title,
          messageId: ids(),
          userMessageId,
          principal: sender,
          processId,
          lastSeq,
          startedAt: now,
        },
      };
    }).catch((error: unknown) => {
      if (error instanceof AlreadySentError) return null;
      throw error;
    });
  }

  return {
    /**
     * Sends a message and begins its answer; resolves when both are stored. A repeat of a `requestId` sends nothing and
     * answers what it was. Throws where there is no such conversation, where it is still being answered, and where no model
     * is configured.
     */
    async send(frame: ChatSend, sender: UserPrincipal): Promise<SentMessage> {
      assertStorable(frame);
      const requestId = frame.requestId ?? null;
      const before = await findSent(sender.userId, requestId);
      if (before !== null) return before;
      models.requireGateway();
      const stored = await storeMessage(frame, sender);
      if (stored === null) {
        const repeated = await findSent(sender.userId, requestId);
        if (repeated === null) throw noSuchConversation();
        return repeated;
      }
      const { sent, answer } = stored;
      const action = sent.isFirst ? "create" : "edit";
      events.publish({ resource: "conversation", action, resourceId: sent.conversationId, resourceName: sent.title });
      runner.execute(answer);
      return sent;
    },

    /** Stops the answer that is being given and keeps its text. Does nothing where none is. Throws {@link NotFoundError}. */
    async interrupt(conversationId: string): Promise<void> {
      const conversation = isUuid(conversationId) ? await selectConversation(db.pool, conversationId) : null;
      if (conversation === null) throw noSuchConversation();
      if (await requestInterrupt(db.pool, conversationId, clock.now())) await runner.stop(conversationId);
    },

    /**
     * Allows or refuses the one call that an answer waits with, whichever process gives it. Throws {@link ConflictError} where
     * it was decided before, or is not waited for any more.
     */
    async approve({ conversationId, approvalId, decision }: ChatApprove): Promise<void> {
      const outcome = decision === "allow" ? "allowed" : "denied";
      const isKnown = isUuid(conversationId) && isUuid(approvalId);
      if (isKnown && (await approvals.decide(conversationId, approvalId, outcome))) return;
      throw new ConflictError("There is nothing to decide any more: it was decided, or its time is over.");
    },
  };
}

class AlreadySentError extends Error {}

function noSuchConversation(): NotFoundError {
  return new NotFoundError("There is no such conversation.");
}
