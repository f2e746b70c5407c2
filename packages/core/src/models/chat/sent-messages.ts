import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { UserPrincipal } from "../../platform/procedures/principal.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import type { ChatSend } from "../../platform/realtime/frames.ts";
import type { PendingAnswer } from "./answer-execution.ts";
import {
  beginAnswer,
  insertConversation,
  selectConversation,
  selectConversationForUpdate,
  type StoredConversation,
} from "./conversation.queries.ts";
import type { AnswerAgain } from "./conversation.schema.ts";
import { takeAttachments } from "./attachment.queries.ts";
import type { Enclosed } from "./mentioned-items.ts";
import { insertUserMessage, selectLastMessageId, selectMessageRole, selectSentMessage } from "./message.queries.ts";

const TITLE_LENGTH = 100;

export interface SentMessagesDeps extends Deps<"db" | "clock" | "ids"> {
  readonly processes: ProcessRegistry;
}

/** A message that was sent, now or earlier. Its answer consists of the conversation's events after `afterSeq`. */
export interface SentMessage {
  readonly conversationId: string;
  readonly sessionId: string;
  readonly title: string;
  readonly afterSeq: number;
  /** Whether the conversation was created for the message. */
  readonly isFirst: boolean;
}

/** Stores the messages that users send, each at most once. */
export function createSentMessages({ db, clock, ids, processes }: SentMessagesDeps) {
  return {
    /** The message that was sent with this request id; null if there is none. */
    async find(senderId: string, requestId: string | null): Promise<SentMessage | null> {
      const sent = requestId === null ? null : await selectSentMessage(db.pool, senderId, requestId);
      const conversation = sent === null ? null : await selectConversation(db.pool, sent.conversationId);
      if (sent === null || conversation === null) return null;
      return { ...sent, sessionId: conversation.sessionId, title: conversation.title };
    },

    /**
     * Stores a message and marks its conversation as being answered. Returns null if the sender has used the request id
     * before. Throws {@link NotFoundError} if there is no such conversation, and {@link ConflictError} if it is still being
     * answered.
     */
    store(
      frame: ChatSend,
      enclosed: Enclosed,
      sender: UserPrincipal,
    ): Promise<{ sent: SentMessage; answer: PendingAnswer } | null> {
      const { message, conversationId: givenId = null, requestId = null, model = null } = frame;
      const now = clock.now();
      const { processId } = processes;
      return transaction(db.pool, async (client) => {
        if (givenId !== null && !isUuid(givenId)) throw noSuchConversation();
        const id = givenId ?? ids();
        if (givenId === null) {
          const title = titleOf(message, enclosed);
          await insertConversation(client, {
            id,
            sessionId: ids(),
            title,
            creatorId: sender.userId,
            startedAt: now,
            model,
          });
        }
        const conversation = await selectConversationForUpdate(client, id);
        if (conversation === null) throw noSuchConversation();
        const { lastSeq, title, sessionId } = conversation;
        const userMessageId = ids();
        const attached = enclosed.attachments.map((attachment) => attachment.id);
        if ((await takeAttachments(client, id, attached)) < attached.length) throw noSuchAttachment();
        const parentId = await findParent(client, id, frame.afterMessageId);
        const isNew = await insertUserMessage(client, {
          id: userMessageId,
          conversationId: id,
          parentId,
          text: message,
          enclosed,
          senderId: sender.userId,
          requestId,
          afterSeq: lastSeq,
          createdAt: now,
        });
        if (!isNew) throw new AlreadySentError();
        requireIdle(conversation);
        await beginAnswer(client, id, { processId, addedMessages: 1, now });
        return {
          sent: { conversationId: id, sessionId, title, afterSeq: lastSeq, isFirst: givenId === null },
          answer: {
            conversationId: id,
            title,
            messageId: ids(),
            userMessageId,
            model: conversation.model,
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
    },

    /**
     * Marks the conversation as being answered once more at one of its users' messages. Throws {@link NotFoundError} if there is no
     * such message, and {@link ConflictError} if the conversation is still being answered.
     */
    again({ id, messageId }: AnswerAgain, principal: UserPrincipal): Promise<PendingAnswer> {
      const now = clock.now();
      const { processId } = processes;
      return transaction(db.pool, async (client) => {
        const conversation = isUuid(id) ? await selectConversationForUpdate(client, id) : null;
        if (conversation === null) throw noSuchConversation();
        const role = isUuid(messageId) ? await selectMessageRole(client, id, messageId) : null;
        if (role !== "user") throw noSuchMessage();
        requireIdle(conversation);
        await beginAnswer(client, id, { processId, addedMessages: 0, now });
        const { title, model, lastSeq } = conversation;
        const answer = { conversationId: id, title, messageId: ids(), userMessageId: messageId, model };
        return { ...answer, principal, processId, lastSeq, startedAt: now };
      });
    },
  };
}

/** The message that a new one follows; the conversation if it begins that. Without one given it is the last. */
async function findParent(
  client: PoolClient,
  conversationId: string,
  afterMessageId: string | null | undefined,
): Promise<string> {
  if (afterMessageId === null) return conversationId;
  if (afterMessageId === undefined) return (await selectLastMessageId(client, conversationId)) ?? conversationId;
  const role = isUuid(afterMessageId) ? await selectMessageRole(client, conversationId, afterMessageId) : null;
  if (role === null) throw noSuchMessage();
  return afterMessageId;
}

function requireIdle({ status }: StoredConversation): void {
  if (status === "streaming")
    throw new ConflictError("The conversation is still being answered. Interrupt the answer, or wait for it.");
}

/** It does not exist, was not sent for too long, or belongs to another conversation. */
export function noSuchAttachment(): NotFoundError {
  return new NotFoundError("A file of the message is no longer there. Attach it again.");
}

function noSuchMessage(): NotFoundError {
  return new NotFoundError("There is no such message in the conversation.");
}

/** Rolls the transaction back. */
class AlreadySentError extends Error {}

export function noSuchConversation(): NotFoundError {
  return new NotFoundError("There is no such conversation.");
}

/** The title of a conversation that begins with a message. */
function titleOf(message: string, { attachments }: Enclosed): string {
  const words = message.trim() === "" ? attachments.map(({ name }) => name).join(", ") : message.trim();
  return words.slice(0, TITLE_LENGTH).toWellFormed();
}
