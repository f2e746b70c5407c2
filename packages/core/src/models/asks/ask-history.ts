import type { Db } from "@workspace/db";
import { isUuid } from "../../platform/ids.ts";
import type { Exchange } from "../agents/agent-prompt.ts";
import type { ConversationService } from "../chat/conversation.service.ts";
import { textOf } from "../gateway/content-block.ts";
import { selectExchanges } from "./ask.queries.ts";

/** How many earlier exchanges of a conversation to load. */
const MAX_EXCHANGES = 20;

export interface AskHistoryDeps {
  readonly db: Db;
  readonly conversations: Pick<ConversationService, "get">;
}

/**
 * Loads the earlier exchanges of a conversation, oldest first: those of earlier asks or, if there are none, of a chat. Throws
 * NotFoundError if there is no such conversation.
 */
export async function loadHistory({ db, conversations }: AskHistoryDeps, conversationId: string): Promise<Exchange[]> {
  const exchanges = isUuid(conversationId) ? await selectExchanges(db.pool, conversationId, MAX_EXCHANGES) : [];
  if (exchanges.length > 0) return exchanges;
  const { messages } = await conversations.get(conversationId);
  return messages.flatMap(({ role, content }, index) => {
    const answer = messages[index + 1];
    if (role !== "user" || answer?.role !== "assistant") return [];
    const response = textOf(answer.content);
    return response === "" ? [] : [{ message: textOf(content), response }];
  });
}
