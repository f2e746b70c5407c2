import { column, defineComposedQuery, defineQuery, HookEventType, type Queryable, type RowOf } from "@workspace/db";
import { MAX_PAGE_CHARACTERS } from "../../platform/paging.ts";
import type { FileTouch } from "../file-history/file-touches.ts";
import type { NamedTask } from "../task-sessions/named-tasks.ts";
import type { HookEvent, ListHookEvents, RecordedHookEvent } from "./hook-event.schema.ts";
import type { SessionFolder } from "./session-folders.ts";

const SUMMARY = {
  id: column.uuid,
  eventType: column.oneOf(HookEventType),
  blocked: column.boolean,
  blockReason: column.text.nullable,
  createdAt: column.timestamp,
};

const EVENT = {
  ...SUMMARY,
  sessionId: column.text.nullable,
  projectDir: column.text.nullable,
  toolName: column.text.nullable,
  toolMatcher: column.text.nullable,
  eventData: column.json.as<Record<string, unknown>>().nullable,
  exitCode: column.integer.nullable,
  durationMs: column.float.nullable,
  hookScript: column.text.nullable,
  /** Whether it fits into the page. If not, its data is omitted. */
  fits: column.boolean.neverNull,
};

const SUMMARY_COLUMNS = `id, event_type AS "eventType", blocked, block_reason AS "blockReason", created_at AS "createdAt"`;

const newEvents = defineQuery({
  name: "insert-hook-events",
  row: { id: column.uuid.nullable, folder: column.text.nullable },
  isPrepared: true,
  text: `
    WITH added AS (
      INSERT INTO hook_events (id, event_type, session_id, project_dir, tool_name, tool_matcher, event_data,
        exit_code, blocked, block_reason, duration_ms, hook_script, created_at)
      SELECT id, "eventType", "sessionId", "projectDir", "toolName", "toolMatcher", "eventData", "exitCode", blocked,
             "blockReason", "durationMs", "hookScript", "createdAt"
      FROM jsonb_to_recordset($1) AS event(id uuid, "eventType" hook_event_type, "sessionId" text, "projectDir" text,
        "toolName" text, "toolMatcher" text, "eventData" jsonb, "exitCode" integer, blocked boolean, "blockReason" text,
        "durationMs" double precision, "hookScript" text, "createdAt" timestamptz)
      ORDER BY "createdAt", id
      ON CONFLICT (id) DO NOTHING RETURNING id
    ), touched AS (
      INSERT INTO file_touches (event_id, path, session_id, project, root, is_whole, written_keys, created_at)
      SELECT "eventId", path, "sessionId", project, root, "isWhole", "writtenKeys", "createdAt"
      FROM jsonb_to_recordset($2) AS touch("eventId" uuid, path text, "sessionId" text, project text, root text,
        "isWhole" boolean, "writtenKeys" int[], "createdAt" timestamptz)
      WHERE "eventId" IN (SELECT id FROM added)
      ON CONFLICT DO NOTHING
    ), placed AS (
      INSERT INTO project_folders AS known (folder, project, seen_at)
      SELECT folder, project, "seenAt"
      FROM jsonb_to_recordset($3) AS seen(folder text, project text, "isNamed" boolean, "seenAt" timestamptz)
      WHERE NOT EXISTS (
        SELECT FROM project_folders k WHERE k.folder = seen.folder AND (k.project = seen.project OR NOT "isNamed"))
      ORDER BY folder
      ON CONFLICT (folder) DO UPDATE SET project = excluded.project, seen_at = excluded.seen_at
      WHERE known.seen_at <= excluded.seen_at
      RETURNING folder
    ), named AS (
      INSERT INTO task_sessions AS known (task_id, session_id, named_at)
      SELECT "taskId", "sessionId", "namedAt"
      FROM jsonb_to_recordset($4) AS name("taskId" uuid, "sessionId" text, "namedAt" timestamptz)
      WHERE EXISTS (SELECT FROM tasks WHERE id = "taskId")
      ORDER BY "taskId", "sessionId"
      ON CONFLICT (task_id, session_id) DO UPDATE SET named_at = excluded.named_at WHERE excluded.named_at < known.named_at
    )
    SELECT id, NULL AS folder FROM added UNION ALL SELECT NULL, folder FROM placed`,
});

/**
 * Stores all events whose id is not taken, with the files that they changed, the folders of their projects and the tasks that they
 * name, or none, and returns their ids, and the folders whose project was not known. They are written in chronological order, so that
 * concurrent batches that mark late hours as stale cannot deadlock.
 */
export async function insertHookEvents(
  db: Queryable,
  events: readonly HookEvent[],
  touches: readonly FileTouch[],
  folders: readonly SessionFolder[],
  named: readonly NamedTask[],
): Promise<{ ids: Set<string>; newFolders: string[] }> {
  const rows = [events, touches, folders, named].map((values) => JSON.stringify(values));
  const added = await newEvents.all(db, rows);
  return {
    ids: new Set(added.flatMap(({ id }) => id ?? [])),
    newFolders: added.flatMap(({ folder }) => folder ?? []),
  };
}

const summaries = defineQuery({
  name: "select-recorded-hook-events",
  row: SUMMARY,
  text: `SELECT ${SUMMARY_COLUMNS} FROM hook_events WHERE id = ANY($1::uuid[])`,
});

export function selectRecordedHookEvents(db: Queryable, ids: readonly string[]): Promise<RecordedHookEvent[]> {
  return summaries.all(db, [ids]);
}

export interface HookEventPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Rows of a list, and how many of them fit into one page; the data of the others is omitted. */
export interface HookEventRows {
  readonly events: HookEvent[];
  readonly fitting: number;
}

interface HookEventPage {
  readonly limit: number;
  readonly after: HookEventPosition | undefined;
}

/**
 * SQL for the rows of a page. The data of one event may be as long as a request, so after the event that reaches
 * {@link MAX_PAGE_CHARACTERS}, the database does not even send any data.
 */
function toBoundedRows(page: string, order: string): string {
  return `
    SELECT ${SUMMARY_COLUMNS}, session_id AS "sessionId", project_dir AS "projectDir", tool_name AS "toolName",
           tool_matcher AS "toolMatcher", CASE WHEN fits THEN event_data END AS "eventData", exit_code AS "exitCode",
           duration_ms AS "durationMs", hook_script AS "hookScript", fits
    FROM (SELECT *, COALESCE(sum(octet_length(event_data::text)) OVER preceding, 0) < ${MAX_PAGE_CHARACTERS} AS fits
          FROM (${page}) AS page
          WINDOW preceding AS (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS page
    ORDER BY ${order}`;
}

function toHookEventRows(rows: readonly RowOf<typeof EVENT>[]): HookEventRows {
  const firstBeyond = rows.findIndex(({ fits }) => !fits);
  return { events: rows.map(toHookEvent), fitting: firstBeyond === -1 ? rows.length : firstBeyond };
}

/** Spelled out, because spreading the row would cost more than everything else here. */
function toHookEvent(row: RowOf<typeof EVENT>): HookEvent {
  return {
    id: row.id,
    eventType: row.eventType,
    blocked: row.blocked,
    blockReason: row.blockReason,
    createdAt: row.createdAt,
    sessionId: row.sessionId,
    projectDir: row.projectDir,
    toolName: row.toolName,
    toolMatcher: row.toolMatcher,
    eventData: row.eventData,
    exitCode: row.exitCode,
    durationMs: row.durationMs,
    hookScript: row.hookScript,
  };
}

const eventsByAge = defineComposedQuery({
  name: "select-hook-events",
  row: EVENT,
  compose: (search: Omit<ListHookEvents, "limit" | "cursor"> & HookEventPage, bind) => {
    const { sessionId, toolName, blocked, since, after, limit } = search;
    const conditions: string[] = [];
    const [eventType, ...furtherTypes] = search.eventType ?? [];
    if (furtherTypes.length > 0) conditions.push(`event_type = ANY(${bind(search.eventType)}::hook_event_type[])`);
    else if (eventType !== undefined) conditions.push(`event_type = ${bind(eventType)}`);
    if (sessionId !== undefined) conditions.push(`session_id = ${bind(sessionId)}`);
    if (toolName !== undefined) conditions.push(`tool_name = ${bind(toolName)}`);
    // Inlined instead of bound, because only then is the index of blocked events used.
    if (blocked !== undefined) conditions.push(blocked ? "blocked" : "NOT blocked");
    if (since !== undefined) conditions.push(`created_at > ${bind(new Date(since))}`);
    if (after !== undefined) {
      conditions.push(`(created_at, id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`);
    }
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const order = "created_at DESC, id DESC";
    return toBoundedRows(`SELECT * FROM hook_events ${where} ORDER BY ${order} LIMIT ${bind(limit)}`, order);
  },
  examples: [
    {
      eventType: ["SessionStart", "SessionEnd"],
      sessionId: "",
      toolName: "",
      blocked: true,
      since: "2026-01-01",
      after: { createdAt: "", id: "" },
      limit: 1,
    },
    { eventType: ["SessionStart"], blocked: false, after: undefined, limit: 1 },
    { after: undefined, limit: 1 },
  ],
});

/** Events that match all filters, most recent first, at most `limit`, after a position. */
export async function selectHookEvents(
  db: Queryable,
  filter: Omit<ListHookEvents, "limit" | "cursor">,
  page: HookEventPage,
): Promise<HookEventRows> {
  return toHookEventRows(await eventsByAge.all(db, { ...filter, ...page }));
}

const eventsOfSession = defineQuery({
  name: "select-session-events",
  row: EVENT,
  text: toBoundedRows(
    `SELECT * FROM hook_events
     WHERE session_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::uuid))
     ORDER BY created_at, id LIMIT $4`,
    "created_at, id",
  ),
});

/** A session's events in chronological order, after a position. */
export async function selectSessionEvents(
  db: Queryable,
  sessionId: string,
  { limit, after }: HookEventPage,
): Promise<HookEventRows> {
  return toHookEventRows(
    await eventsOfSession.all(db, [sessionId, after?.createdAt ?? null, after?.id ?? null, limit]),
  );
}
