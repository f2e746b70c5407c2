import { isDeepStrictEqual } from "node:util";
import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { AnswerRunner } from "./answer-runner.ts";
import type { ModelSource } from "../gateway/model-source.ts";
import { createChoosableModels } from "./choosable-models.ts";
import {
  chooseConversationModel,
  deleteConversation,
  renameConversation,
  selectConversation,
  selectConversationForUpdate,
  selectConversations,
} from "./conversation.queries.ts";
import type {
  Conversation,
  ConversationDetail,
  FoundConversation,
  ListConversations,
  UpdateConversation,
} from "./conversation.schema.ts";
import { selectMessages } from "./message.queries.ts";
import { noSuchConversation } from "./sent-messages.ts";

const readPage = createPager("conversations", timeAndId, ({ startedAt, id }: FoundConversation) => [startedAt, id]);

export interface ConversationServiceDeps extends Deps<"db" | "clock" | "events"> {
  readonly runner: AnswerRunner;
  readonly source: ModelSource;
}

export type ConversationService = ReturnType<typeof createConversationService>;

/** The chat history. Conversations are created by sending messages. */
export function createConversationService(deps: ConversationServiceDeps) {
  const { db, events, runner } = deps;
  return {
    /** Most recently started first. */
    async list({ search, limit, cursor }: ListConversations): Promise<Page<FoundConversation>> {
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

    /** The models that can be chosen for a conversation. */
    listModels: createChoosableModels(deps),

    /** Changes the given fields. Throws NotFoundError. */
    async update({ id, title, model }: UpdateConversation): Promise<Conversation> {
      const { before, after } = await transaction(db.pool, async (client) => {
        const found = isUuid(id) ? await selectConversationForUpdate(client, id) : null;
        if (found === null) throw noSuchConversation();
        const isRenamed = title !== undefined && title !== found.title;
        if (isRenamed) await renameConversation(client, id, title);
        const isChosen = model !== undefined && !isDeepStrictEqual(model, found.model);
        if (isChosen) await chooseConversationModel(client, id, model);
        return { before: found, after: isRenamed || isChosen ? await selectConversation(client, id) : found };
      });
      const { processId: _processId, lastSeq: _lastSeq, ...shown } = after ?? before;
      if (after !== before)
        events.publish({ resource: "conversation", action: "edit", resourceId: id, resourceName: shown.title });
      return shown;
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
