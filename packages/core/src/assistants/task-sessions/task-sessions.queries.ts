import { column, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import { usageOfSession } from "../assistant-usage/session-usage.queries.ts";

const MAX_SESSIONS = 20;
const MAX_FILES = 10;
const MAX_COMMITS = 10;
/** Of a longer session, only the last events are looked at. */
const MAX_EVENTS = 5_000;
const MAX_PROMPT = 300;

const SESSION = {
  sessionId: column.text,
  namedAt: column.timestamp,
  prompt: column.text.nullable,
  projectDir: column.text.nullable,
  startedAt: column.timestamp.nullable,
  lastEventAt: column.timestamp.nullable,
  hasEnded: column.boolean.neverNull,
  costUsd: column.numeric.nullable,
  totalTokens: column.numeric.neverNull,
  fileCount: column.safeInteger.neverNull,
  files: column.json.as<string[]>().neverNull,
  commits: column.json.as<{ command: string; committedAt: string }[]>().neverNull,
  memoryCount: column.safeInteger.neverNull,
};
export type TaskSessionRow = Readonly<RowOf<typeof SESSION>>;

const sessionsOfTask = defineQuery({
  name: "select-task-sessions",
  row: SESSION,
  text: `
    SELECT named.session_id AS "sessionId", named.named_at AS "namedAt", prompt, project_dir AS "projectDir",
      started_at AS "startedAt", last_event_at AS "lastEventAt", has_ended AS "hasEnded", cost_usd AS "costUsd",
      COALESCE(total_tokens, 0) AS "totalTokens", COALESCE(file_count, 0) AS "fileCount", COALESCE(files, '[]') AS files,
      COALESCE(commits, '[]') AS commits, memory_count AS "memoryCount"
    FROM (SELECT * FROM task_sessions WHERE task_id = $1 ORDER BY named_at DESC, session_id LIMIT ${MAX_SESSIONS}) AS named
    CROSS JOIN LATERAL (
      SELECT (array_agg(project_dir ORDER BY created_at) FILTER (WHERE project_dir IS NOT NULL))[1] AS project_dir,
        min(created_at) AS started_at, max(created_at) AS last_event_at,
        COALESCE((array_agg(event_type = 'SessionEnd' ORDER BY created_at DESC, id DESC))[1], false) AS has_ended
      FROM hook_events WHERE session_id = named.session_id
    ) AS overview
    LEFT JOIN LATERAL (
      SELECT left(event_data ->> 'prompt', ${MAX_PROMPT}) AS prompt FROM hook_events
      WHERE session_id = named.session_id AND event_type = 'UserPromptSubmit' AND event_data ->> 'prompt' <> ''
      ORDER BY created_at LIMIT 1
    ) AS first_prompt ON true
    LEFT JOIN LATERAL (
      SELECT sum(cost_usd) AS cost_usd,
        sum(input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens) AS total_tokens
      FROM ${usageOfSession("named.session_id")} AS reports
    ) AS used ON true
    LEFT JOIN LATERAL (
      SELECT count(*) AS file_count, json_agg(path ORDER BY touched_at DESC) FILTER (WHERE place <= ${MAX_FILES}) AS files
      FROM (
        SELECT path, max(f.created_at) AS touched_at, row_number() OVER (ORDER BY max(f.created_at) DESC, path) AS place
        FROM (
          SELECT id FROM hook_events WHERE session_id = named.session_id ORDER BY created_at DESC LIMIT ${MAX_EVENTS}
        ) AS latest JOIN file_touches f ON f.event_id = latest.id
        GROUP BY path
      ) AS touched
    ) AS changed ON true
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('command', command, 'committedAt', created_at) ORDER BY created_at DESC) AS commits
      FROM (
        SELECT command, created_at
        FROM (
          SELECT event_data -> 'toolInput' ->> 'command' AS command, created_at, exit_code FROM hook_events
          WHERE session_id = named.session_id AND event_type = 'PostToolUse' ORDER BY created_at DESC LIMIT ${MAX_EVENTS}
        ) AS calls
        WHERE command ~ '\\mgit\\M.*\\mcommit\\M' ORDER BY created_at DESC LIMIT ${MAX_COMMITS}
      ) AS latest
    ) AS committed ON true
    CROSS JOIN LATERAL (
      SELECT count(*) AS memory_count FROM memory_chunks WHERE session_id = named.session_id AND deleted_at IS NULL
    ) AS learnt
    ORDER BY named.named_at DESC, named.session_id`,
});

/** The sessions that named a task last. */
export function selectTaskSessions(db: Queryable, taskId: string): Promise<TaskSessionRow[]> {
  return sessionsOfTask.all(db, [taskId]);
}
