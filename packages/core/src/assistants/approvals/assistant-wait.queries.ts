import { AssistantWaitReason, column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import type { PageRange } from "../../platform/paging.ts";
import type { AssistantWait } from "./assistant-wait.schema.ts";

const newWait = defineCommand({
  name: "put-assistant-wait",
  text: `
    WITH former AS (DELETE FROM assistant_waits WHERE since < $7 AND session_id <> $1)
    INSERT INTO assistant_waits (session_id, harness, project, reason, text, since)
    VALUES ($1, $2, $3, $4::assistant_wait_reason, $5, $6)
    ON CONFLICT (session_id) DO UPDATE SET harness = $2, project = $3, reason = $4::assistant_wait_reason, text = $5, since = $6`,
});

/** Replaces what the session waited for before, and forgets what others have waited for since before `forgottenBefore`. */
export async function putAssistantWait(
  db: Queryable,
  wait: AssistantWait & { readonly forgottenBefore: Date },
): Promise<void> {
  const { sessionId, harness, project, reason, text, since, forgottenBefore } = wait;
  await newWait.run(db, [sessionId, harness, project, reason, text, since, forgottenBefore]);
}

const currentWaits = defineQuery({
  name: "select-assistant-waits",
  row: {
    sessionId: column.text,
    harness: column.text,
    project: column.text,
    reason: column.oneOf(AssistantWaitReason),
    text: column.text,
    since: column.timestamp,
  },
  text: `
    SELECT w.session_id AS "sessionId", w.harness, w.project, w.reason, w.text, w.since
    FROM assistant_waits w
    WHERE w.since > $1 AND ($2::text IS NULL OR w.session_id = $2)
      AND NOT EXISTS (SELECT FROM hook_events e WHERE e.session_id = w.session_id AND e.created_at > w.since)
      AND ($4::text IS NULL OR (w.since, w.session_id) < ($3::timestamptz, $4))
    ORDER BY w.since DESC, w.session_id DESC LIMIT $5`,
});

/** The sessions that have waited since, and of which nothing has been heard after that; the latest first. */
export function selectAssistantWaits(
  db: Queryable,
  { sessionId, notBefore }: { readonly sessionId: string | undefined; readonly notBefore: Date },
  { after, limit }: PageRange<readonly [since: string, sessionId: string]>,
): Promise<AssistantWait[]> {
  return currentWaits.all(db, [notBefore, sessionId, after?.[0], after?.[1], limit]);
}
