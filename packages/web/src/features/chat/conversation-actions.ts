import type { Inputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { toasts } from "../../components/toast.ts";
import type { ConversationDetail } from "./conversation-log.ts";

type Changes = Omit<Inputs["conversations"]["update"], "id">;

/** The key of the query that reads a conversation. */
export const conversationKey = (id: string) => ["conversations", "one", id] as const;

/** Renames a conversation or chooses its model. Shown immediately, and taken back with a message if it is refused. */
export async function updateConversation(client: Client, id: string, changes: Changes): Promise<void> {
  const show = (shown: Changes) =>
    client.queries.setQueryData<ConversationDetail>(
      conversationKey(id),
      (known) => known && { ...known, ...(shown.title !== undefined && { title: shown.title }), ...modelOf(shown) },
    );
  const before = client.queries.getQueryData<ConversationDetail>(conversationKey(id));
  show(changes);
  try {
    await client.api.conversations.update.mutate({ id, ...changes });
    await client.queries.invalidateQueries({ queryKey: ["conversations", "list"] });
    await client.queries.invalidateQueries({ queryKey: ["shelf"] });
  } catch (error) {
    if (before !== undefined) show({ title: before.title, model: before.model });
    const detail = toRequestError(error).message;
    toasts(client).show({ message: "The conversation was not changed", detail, tone: "danger" });
  }
}

const modelOf = ({ model }: Changes) => (model === undefined ? {} : { model });

/** Has a message answered once more. */
export async function answerAgain(client: Client, id: string, messageId: string): Promise<void> {
  try {
    await client.api.conversations.answer.mutate({ id, messageId });
  } catch (error) {
    const detail = toRequestError(error).message;
    toasts(client).show({ message: "It is not answered again", detail, tone: "danger" });
  }
}
