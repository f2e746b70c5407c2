import type { Pool, PoolClient } from "@workspace/db";
import type { HookEvent, ListHookEvents, RecordedHookEvent } from "./hook-event.schema.ts";

type Queryable = Pool | PoolClient;

const SUMMARY_COLUMNS = `id, event_type AS "eventType", blocked, block_reason AS "blockReason", created_at AS "createdAt"`;

const COLUMNS = `${SUMMARY_COLUMNS}, session_id AS "sessionId", project_dir AS "projectDir", tool_name AS "toolName",
  tool_matcher AS "toolMatcher", event_data AS "eventData", exit_code AS "exitCode", duration_ms AS "durationMs",
  hook_script AS "hookScript"`;

/**
 * Stores those events whose id is not taken yet, all or none, and answers their ids. They are written in the order of their
 * time, so that two batches that both mark late hours as stale wait for each other and never in a circle.
 */
export async function insertHookEvents(db: Queryable, events: readonly HookEvent[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: "insert-hook-events",
    text: `INSERT INTO hook_events (id, event_type, session_id, project_dir, tool_name, tool_matcher, event_data,
       exit_code, blocked, block_reason, duration_ms, hook_script, created_at)
     SELECT id, "eventType", "sessionId", "projectDir", "toolName", "toolMatcher", "eventData", "exitCode", blocked,
            "blockReason", "durationMs", "hookScript", "createdAt"
     FROM jsonb_to_recordset($1) AS event(id uuid, "eventType" hook_event_type, "sessionId" text, "projectDir" text,
       "toolName" text, "toolMatcher" text, "eventData" jsonb, "exitCode" integer, blocked boolean, "blockReason" text,
       "durationMs" double precision, "hookScript" text, "createdAt" timestamptz)
     ORDER BY "createdAt", id
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    values: [JSON.stringify(events)],
  });
  return new Set(rows.map((row) => row.id));
}

export async function selectRecordedHookEvents(db: Queryable, ids: readonly string[]): Promise<RecordedHookEvent[]> {
  const { rows } = await db.query<RecordedHookEvent>(
    `SELECT ${SUMMARY_COLUMNS} FROM hook_events WHERE id = ANY($1::uuid[])`,
    [ids],
  );
  return rows;
}

export interface HookEventPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Events that match every filter, most recent first, at most `limit`, after a position. */
export async function selectHookEvents(
  db: Queryable,
  filter: Omit<ListHookEvents, "limit" | "cursor">,
  page: { limit: number; after: HookEventPosition | undefined },
): Promise<HookEvent[]> {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;

  const [eventType, ...furtherTypes] = filter.eventType ?? [];
  if (furtherTypes.length > 0) conditions.push(`event_type = ANY(${bind(filter.eventType)}::hook_event_type[])`);
  else if (eventType !== undefined) conditions.push(`event_type = ${bind(eventType)}`);
  if (filter.sessionId !== undefined) conditions.push(`session_id = ${bind(filter.sessionId)}`);
  if (filter.toolName !== undefined) conditions.push(`tool_name = ${bind(filter.toolName)}`);
  // Spelled out and not bound, because only then does the index of blocked events apply.
  if (filter.blocked !== undefined) conditions.push(filter.blocked ? "blocked" : "NOT blocked");
  if (filter.since !== undefined) conditions.push(`created_at > ${bind(new Date(filter.since))}`);
  if (page.after !== undefined) {
    conditions.push(`(created_at, id) < (${bind(page.after.createdAt)}::timestamptz, ${bind(page.after.id)}::uuid)`);
  }
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const { rows } = await db.query<HookEvent>(
    `SELECT ${COLUMNS} FROM hook_events ${where} ORDER BY created_at DESC, id DESC LIMIT ${bind(page.limit)}`,
    values,
  );
  return rows;
}

/** A session's events in the order in which they happened, after a position. */
export async function selectSessionEvents(
  db: Queryable,
  sessionId: string,
  page: { limit: number; after: HookEventPosition | undefined },
): Promise<HookEvent[]> {
  const { rows } = await db.query<HookEvent>(
    `SELECT ${COLUMNS} FROM hook_events
     WHERE session_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::uuid))
     ORDER BY created_at, id LIMIT $4`,
    [sessionId, page.after?.createdAt ?? null, page.after?.id ?? null, page.limit],
  );
  return rows;
}
