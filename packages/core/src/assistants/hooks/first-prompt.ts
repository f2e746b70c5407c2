/** A session usually begins with its start and a prompt. */
const FIRST_EVENTS = 50;
/** What an assistant does for a prompt seldom takes more. */
const LAST_EVENTS = 1_000;
const MAX_LENGTH = 200;

/** SQL of the beginning of what a session was asked first, by which people recognise it; null if it is not known. */
export function firstPromptOf(sessionId: string): string {
  return `(
    SELECT left(event_data ->> 'prompt', ${MAX_LENGTH})
    FROM (SELECT * FROM hook_events o WHERE o.session_id = ${sessionId} ORDER BY created_at, id LIMIT ${FIRST_EVENTS}) AS first
    WHERE event_type = 'UserPromptSubmit' AND NOT blocked AND event_data ->> 'prompt' <> '' ORDER BY created_at, id LIMIT 1
  )`;
}

/** SQL of the beginning of what a session was asked last before a time; null if it is not known. */
export function lastPromptOf(sessionId: string, before: string): string {
  return `(
    SELECT left(event_data ->> 'prompt', ${MAX_LENGTH})
    FROM (
      SELECT * FROM hook_events o WHERE o.session_id = ${sessionId} AND o.created_at <= ${before}
      ORDER BY created_at DESC, id DESC LIMIT ${LAST_EVENTS}
    ) AS last
    WHERE event_type = 'UserPromptSubmit' AND NOT blocked AND event_data ->> 'prompt' <> ''
    ORDER BY created_at DESC, id DESC LIMIT 1
  )`;
}
