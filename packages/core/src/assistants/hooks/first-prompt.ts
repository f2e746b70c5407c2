/** A session usually begins with its start and a prompt. */
const FIRST_EVENTS = 50;
const MAX_LENGTH = 200;

/** SQL of the beginning of what a session was asked first, by which people recognise it; null if it is not known. */
export function firstPromptOf(sessionId: string): string {
  return `(
    SELECT left(event_data ->> 'prompt', ${MAX_LENGTH})
    FROM (SELECT * FROM hook_events o WHERE o.session_id = ${sessionId} ORDER BY created_at, id LIMIT ${FIRST_EVENTS}) AS first
    WHERE event_type = 'UserPromptSubmit' AND NOT blocked AND event_data ->> 'prompt' <> '' ORDER BY created_at, id LIMIT 1
  )`;
}
