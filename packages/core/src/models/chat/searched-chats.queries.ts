import { column, defineQuery } from "@workspace/db";
import { MAX_SEARCHED_CHARACTERS, type ReadSearchedRows } from "../../platform/search/searched-row.ts";
import { textOf, type ContentBlock } from "../gateway/content-block.ts";

const searchedConversations = defineQuery({
  name: "select-searched-conversations",
  row: { id: column.uuid, title: column.text, text: column.text, occurredAt: column.timestamp.neverNull },
  text: `
    SELECT id, title, summary AS text, coalesce(ended_at, started_at) AS "occurredAt"
    FROM conversations WHERE id = ANY($1::uuid[])`,
});

/** Conversations for the search over everything. */
export const readSearchedConversations: ReadSearchedRows = async (db, ids) =>
  (await searchedConversations.all(db, [ids])).map((conversation) => ({ ...conversation, shownId: conversation.id }));

const searchedMessages = defineQuery({
  name: "select-searched-messages",
  row: {
    id: column.uuid,
    shownId: column.uuid,
    title: column.text,
    content: column.json.as<ContentBlock[]>(),
    occurredAt: column.timestamp,
  },
  text: `
    SELECT m.id, c.id AS "shownId", c.title, m.content, m.created_at AS "occurredAt"
    FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.id = ANY($1::uuid[])`,
});

/** Messages for the search over everything, which shows their conversations. */
export const readSearchedMessages: ReadSearchedRows = async (db, ids) =>
  (await searchedMessages.all(db, [ids])).map(({ content, ...message }) => ({
    ...message,
    text: textOf(content).slice(0, MAX_SEARCHED_CHARACTERS),
  }));
