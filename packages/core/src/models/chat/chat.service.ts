import { ConflictError, ForbiddenError } from "../../platform/errors.ts";
import type { EventBus } from "../../platform/events.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Principal, UserPrincipal } from "../../platform/procedures/principal.ts";
import { assertStorable } from "../../platform/procedures/storable-input.ts";
import type { ChatApprove, ChatSend } from "../../platform/realtime/frames.ts";
import type { ModelChoice } from "../gateway/model-source.ts";
import type { Redactor } from "../../platform/redactor.ts";
import type { ModelAccess } from "../gateway/model-access.ts";
import type { AnswerRunner } from "./answer-runner.ts";
import type { Approvals } from "./approvals.ts";
import type { AnswerAgain } from "./conversation.schema.ts";
import { selectAttachedFiles, type AttachedFile } from "./attachment.queries.ts";
import { createEnclosureReading, type MentionReaders } from "./mentioned-items.ts";
import { requestInterrupt, selectConversation } from "./conversation.queries.ts";
import {
  createSentMessages,
  noSuchAttachment,
  noSuchConversation,
  type SentMessage,
  type SentMessagesDeps,
} from "./sent-messages.ts";

export interface ChatServiceDeps extends SentMessagesDeps {
  readonly events: EventBus;
  readonly models: ModelAccess;
  readonly redactor: Redactor;
  readonly mentionReaders: MentionReaders;
  readonly runner: AnswerRunner;
  readonly approvals: Approvals;
}

export type ChatService = ReturnType<typeof createChatService>;

/**
 * Sends messages that the model answers. The answer belongs to the server: it continues whether or not a client is connected.
 */
export function createChatService(deps: ChatServiceDeps) {
  const { db, clock, events, models, runner, approvals } = deps;
  const sentMessages = createSentMessages(deps);
  const readEnclosed = createEnclosureReading(deps.mentionReaders, deps.redactor);

  async function chosenModel({
    conversationId,
    model,
  }: Pick<ChatSend, "conversationId" | "model">): Promise<ModelChoice | null> {
    if (conversationId === null || conversationId === undefined) return model ?? null;
    return (isUuid(conversationId) ? await selectConversation(db.pool, conversationId) : null)?.model ?? null;
  }

  async function readAttached(given: readonly string[]): Promise<AttachedFile[]> {
    const ids = [...new Set(given)];
    const found = ids.every(isUuid) ? await selectAttachedFiles(db.pool, ids) : [];
    if (found.length < ids.length) throw noSuchAttachment();
    return found;
  }

  return {
    /**
     * Sends a message and starts its answer. Resolves once both are stored. A repeat of a `requestId` sends nothing and
     * returns the original message. Throws with status 404 if there is no such conversation or nothing that it mentions, 409 if it is still being
     * answered, and 503 if no model is configured.
     */
    async send(frame: ChatSend, sender: UserPrincipal): Promise<SentMessage> {
      assertStorable(frame);
      const requestId = frame.requestId ?? null;
      const before = await sentMessages.find(sender.userId, requestId);
      if (before !== null) return before;
      await models.requireGateway("chat", await chosenModel(frame));
      const enclosed = await readEnclosed(frame.mentions ?? [], await readAttached(frame.attachments ?? []));
      const stored = await sentMessages.store(frame, enclosed, sender);
      if (stored === null) {
        const repeated = await sentMessages.find(sender.userId, requestId);
        if (repeated === null) throw noSuchConversation();
        return repeated;
      }
      const { sent, answer } = stored;
      const action = sent.isFirst ? "create" : "edit";
      events.publish({ resource: "conversation", action, resourceId: sent.conversationId, resourceName: sent.title });
      runner.execute(answer);
      return sent;
    },

    /**
     * Has one of the users' messages answered once more; earlier answers stay. Throws with status 404 if there is no such message,
     * 409 if the conversation is still being answered, and 503 if no model is configured.
     */
    async answerAgain(input: AnswerAgain, principal: Principal): Promise<{ conversationId: string; afterSeq: number }> {
      if (principal.kind !== "user") throw new ForbiddenError("Only people hold conversations.");
      const conversation = isUuid(input.id) ? await selectConversation(db.pool, input.id) : null;
      if (conversation === null) throw noSuchConversation();
      await models.requireGateway("chat", conversation.model);
      const answer = await sentMessages.again(input, principal);
      const { conversationId, title, lastSeq } = answer;
      events.publish({ resource: "conversation", action: "edit", resourceId: conversationId, resourceName: title });
      runner.execute(answer);
      return { conversationId, afterSeq: lastSeq };
    },

    /** Stops the answer in progress, if there is one, and keeps its text. Throws NotFoundError. */
    async interrupt(conversationId: string): Promise<void> {
      const conversation = isUuid(conversationId) ? await selectConversation(db.pool, conversationId) : null;
      if (conversation === null) throw noSuchConversation();
      if (await requestInterrupt(db.pool, conversationId, clock.now())) await runner.stop(conversationId);
    },

    /**
     * Allows or denies the one call for which an answer is waiting, in whichever process. Throws {@link ConflictError} if it
     * was already decided or is no longer waiting.
     */
    async approve({ conversationId, approvalId, decision }: ChatApprove): Promise<void> {
      const outcome = decision === "allow" ? "allowed" : "denied";
      const isKnown = isUuid(conversationId) && isUuid(approvalId);
      if (isKnown && (await approvals.decide(conversationId, approvalId, outcome))) return;
      throw new ConflictError("There is nothing left to decide: it was already decided, or it has expired.");
    },
  };
}
