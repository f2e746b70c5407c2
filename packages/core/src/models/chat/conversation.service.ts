import type { Deps } from "../../platform/deps.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { AnswerRunner } from "./answer-runner.ts";
import { deleteConversation, selectConversation, selectConversations } from "./conversation.queries.ts";
import type { Conversation, ConversationDetail, ListConversations } from "./conversation.schema.ts";
import { selectMessages } from "./message.queries.ts";
import { noSuchConversation } from "./sent-messages.ts";

const readPage = createPager("conversations", timeAndId, ({ startedAt, id }: Conversation) => [startedAt, id]);

export interface ConversationServiceDeps extends Deps<"db" | "events"> {
  readonly runner: AnswerRunner;
}

export type ConversationService = ReturnType<typeof createConversationService>;

/** The chat history. Conversations are created by sending messages. */
export function createConversationService({ db, events, runner }: ConversationServiceDeps) {
  return {
    /** Most recently started first. */
    async list({ search, limit, cursor }: ListConversations): Promise<Page<Conversation>> {
      return readPage({ limit, cursor, filter: { search } }, (range) =>
        selectConversations(db.pool, { search, ...range }),
      );
    },

    /** With all messages, oldest first. Throws NotFoundError. */
    async get(id: string): Promise<ConversationDetail> {
      const conversation = isUuid(id) ? await selectConversation(db.pool, id) : null;
      if (conversation === null) throw noSuchConversation();
      const { processId: _processId, ...shown } = conversation;
      // Leaves out an answer that ends between the two reads: clients that continue from `lastSeq` receive it as events.
      return { ...shown, messages: await selectMessages(db.pool, id, shown.lastSeq) };
    },

    /** Deletes permanently, with all messages, and stops an answer in progress. Throws NotFoundError. */
    async delete(id: string): Promise<void> {
      const deleted = isUuid(id) ? await deleteConversation(db.pool, id) : null;
      if (deleted === null) throw noSuchConversation();
      await runner.stop(id);
      events.publish({ resource: "conversation", action: "delete", resourceId: id, resourceName: deleted.title });
    },
  };
}
