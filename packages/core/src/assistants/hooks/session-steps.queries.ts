import { column, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import type { SessionStep } from "../memory/memory-use.ts";

/** What a session was given longer ago than this is not watched any more. */
const WATCHED_FOR = "interval '7 days'";
/** A session is read once it has paused, and from time to time if it does not. */
const PAUSE = "interval '1 minute'";
const LONGEST_WAIT = "interval '10 minutes'";
const MAX_SESSIONS = 20;
/** Of a longer session only the latest events are read, and of each only the beginning. */
const MAX_STEPS = 1000;
const MAX_STEP_CHARACTERS = 4000;

const unreadLock = defineQuery({
  name: "try-lock-unread-sessions",
  row: { isLocked: column.boolean.neverNull },
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('workspace:memory-use', 0)) AS "isLocked"`,
});

/** Whether this transaction is now the only one of all processes that reads sessions. */
export async function tryLockUnreadSessions(db: PoolClient): Promise<boolean> {
  return (await unreadLock.one(db)).isLocked;
}

const unreadSessions = defineQuery({
  name: "select-unread-sessions",
  row: { sessionId: column.text, until: column.timestamp },
  text: `
    WITH watched AS MATERIALIZED (
      SELECT session_id, min(coalesce(checked_until, given_at)) AS since
      FROM memory_injections WHERE used_at IS NULL AND given_at > $1::timestamptz - ${WATCHED_FOR} GROUP BY session_id
    )
    SELECT session_id AS "sessionId", created_at AS "until"
    FROM watched, LATERAL (
      SELECT created_at FROM hook_events e WHERE e.session_id = watched.session_id ORDER BY created_at DESC LIMIT 1
    ) AS last
    WHERE created_at > since AND (created_at < $1::timestamptz - ${PAUSE} OR created_at > since + ${LONGEST_WAIT})
    ORDER BY created_at LIMIT ${MAX_SESSIONS}`,
});

/** Sessions that were given memories and went on, with the time of their last event; those that waited longest first. */
export function selectUnreadSessions(db: Queryable, now: Date): Promise<{ sessionId: string; until: string }[]> {
  return unreadSessions.all(db, [now]);
}

const steps = defineQuery({
  name: "select-session-steps",
  row: { isOwn: column.boolean.neverNull, text: column.text.neverNull, occurredAt: column.timestamp },
  text: `
    SELECT event_type <> 'UserPromptSubmit' AS "isOwn", left(event_data::text, ${MAX_STEP_CHARACTERS}) AS text,
           created_at AS "occurredAt"
    FROM (
      SELECT * FROM hook_events WHERE session_id = $1 AND event_data IS NOT NULL
        AND event_type IN ('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure')
      ORDER BY created_at DESC, id DESC LIMIT ${MAX_STEPS}
    ) AS latest
    ORDER BY created_at, id`,
});

/** The prompts and tool calls of a session. */
export function selectSessionSteps(db: Queryable, sessionId: string): Promise<SessionStep[]> {
  return steps.all(db, [sessionId]);
}
