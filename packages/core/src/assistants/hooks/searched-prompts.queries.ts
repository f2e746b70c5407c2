import { column, defineQuery, type Queryable } from "@workspace/db";
import { MAX_SEARCHED_CHARACTERS, type ReadSearchedRows } from "../../platform/search/searched-row.ts";

const TITLE_CHARACTERS = 200;
/** A session usually begins with its start and a prompt. */
const FIRST_EVENTS = 50;

const searchedPrompts = defineQuery({
  name: "select-searched-prompts",
  row: {
    id: column.uuid,
    shownId: column.text.neverNull,
    text: column.text.neverNull,
    occurredAt: column.timestamp,
  },
  text: `
    SELECT id, session_id AS "shownId", left(event_data ->> 'prompt', ${MAX_SEARCHED_CHARACTERS}) AS text, created_at AS "occurredAt"
    FROM hook_events
    WHERE id = ANY($1::uuid[]) AND event_type = 'UserPromptSubmit' AND session_id IS NOT NULL AND event_data ->> 'prompt' IS NOT NULL`,
});

/** What was asked in sessions, for the search over everything, which shows the sessions. */
export const readSearchedPrompts: ReadSearchedRows = async (db, ids) =>
  (await searchedPrompts.all(db, [ids])).map((prompt) => ({ ...prompt, title: "" }));

const firstPrompts = defineQuery({
  name: "select-first-prompts",
  row: { sessionId: column.text.neverNull, prompt: column.text.nullable },
  text: `
    SELECT session.id AS "sessionId", (
      SELECT left(event_data ->> 'prompt', ${TITLE_CHARACTERS}) FROM (
        SELECT event_type, event_data, created_at, id FROM hook_events
        WHERE session_id = session.id ORDER BY created_at, id LIMIT ${FIRST_EVENTS}
      ) AS first
      WHERE event_type = 'UserPromptSubmit' ORDER BY created_at, id LIMIT 1
    ) AS prompt
    FROM unnest($1::text[]) AS session (id)`,
});

/** What sessions were asked first, by which people recognise them; those of which it is not known are left out. */
export async function selectFirstPrompts(db: Queryable, sessionIds: readonly string[]): Promise<Map<string, string>> {
  const found = await firstPrompts.all(db, [sessionIds]);
  return new Map(found.flatMap(({ sessionId, prompt }) => (prompt === null ? [] : [[sessionId, prompt] as const])));
}
