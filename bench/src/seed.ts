import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "@workspace/db";
import type { Seeded } from "./scenarios.ts";
import { writeNotes } from "./vault-notes.ts";

const WORDS =
  "report,meeting,invoice,garden,review,budget,travel,backup,letter,design,release,research,call,order,plan,draft";

/**
 * Fills the database as after years of use: tasks of several projects over three years, one in a hundred deleted, and twenty
 * that contain a rare word.
 */
export async function seedTasks(pool: Pool, count: number): Promise<Seeded> {
  await pool.query(
    `INSERT INTO projects (id, name, color, created_at, modified_at)
     SELECT gen_random_uuid(), 'Project ' || n, '#3b82f6', now(), now() FROM generate_series(1, 12) AS n`,
  );
  await pool.query(
    `WITH words AS (SELECT string_to_array('${WORDS}', ',') AS w),
          groups AS (SELECT array_agg(id) AS ids FROM projects),
          creator AS (SELECT id FROM users LIMIT 1),
          rows AS (SELECT n, now() - (n || ' minutes')::interval * 15 AS at, hashint4(n) & 2147483647 AS h FROM generate_series(1, $1::int) AS n),
          texts AS (
            SELECT rows.*, w[1 + h % 16] || ' ' || w[1 + (h / 16) % 16] || ' ' || n
                     || CASE WHEN n % ($1 / 20) = 7 THEN ' needle' ELSE '' END AS title,
                   'About the ' || w[1 + (h / 256) % 16] || ' with ' || w[1 + (h / 4096) % 16] || ' and more of the same' AS description
            FROM rows, words)
     INSERT INTO tasks (id, title, description, status, priority, project_id, creator_id, due_date, tags, completed_at, created_at, modified_at, deleted_at, search_text)
     SELECT gen_random_uuid(), title, description,
            (ARRAY['todo', 'in_progress', 'done', 'blocked'])[1 + h % 4]::task_status, 1 + h % 3,
            CASE WHEN h % 5 > 0 THEN ids[1 + h % 12] END, creator.id,
            CASE WHEN h % 3 = 0 THEN to_char(at + interval '30 days', 'YYYY-MM-DD') END,
            CASE WHEN h % 4 = 0 THEN ARRAY['tag' || h % 40] ELSE '{}' END,
            CASE WHEN h % 4 = 2 THEN at END, at, at, CASE WHEN h % 100 = 0 THEN at END,
            lower(title || E'\\x1f' || description)
     FROM texts, groups, creator`,
    [count],
  );
  await pool.query("VACUUM ANALYZE tasks");
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM tasks WHERE deleted_at IS NULL AND project_id IS NOT NULL ORDER BY created_at OFFSET $1 LIMIT 1",
    [Math.floor(count / 2)],
  );
  return { taskId: rows[0]?.id ?? "" };
}

/** Adds a coding assistant's events, spread over the last 30 days. */
export async function seedHookEvents(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO hook_events (id, event_type, session_id, project_dir, tool_name, event_data, exit_code, blocked,
       duration_ms, created_at)
     SELECT gen_random_uuid(),
       (ARRAY['PreToolUse','PostToolUse','PreToolUse','PostToolUse','UserPromptSubmit','SessionStart','SessionEnd',
              'PostToolUseFailure'])[1 + (random() * 7)::int]::hook_event_type,
       'session-' || (i / 100), '/home/ada/project',
       (ARRAY['Bash','Read','Edit','Write','Grep','Glob','WebFetch','Task','mcp__a__b','mcp__a__c','mcp__a__d',NULL])
         [1 + (random() * 11)::int],
       jsonb_build_object('tool_input', repeat(md5(i::text), 12)), 0, random() < 0.02, random() * 50,
       now() - interval '30 days' * (($1::float - i) / $1)
     FROM generate_series(1, $1::int) AS i`,
    [count],
  );
}

/** Adds usage records of agents, spread over the last year. */
export async function seedUsage(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO usage_records (id, source, source_name, search_text, model, input_tokens, output_tokens, cost_usd, duration_ms,
       num_turns, created_at)
     SELECT gen_random_uuid(), 'agent', 'Agent ' || i % 20, 'agent ' || i % 20, 'model-' || i % 5, i % 9000, i % 900, i % 100 * 0.001,
       i % 60000, 1, now() - interval '365 days' * (($1::float - i) / $1)
     FROM generate_series(1, $1::int) AS i`,
    [count],
  );
}

/** Adds notes to a mirrored vault. Resolves once they are documents that can be found by search. */
export async function seedVault(pool: Pool, root: string, count: number): Promise<void> {
  await writeNotes(root, 0, count, 1);
  for (let known = 0; known < count;) {
    await sleep(500);
    const { rows } = await pool.query<{ known: number }>("SELECT count(*) AS known FROM document_texts");
    known = rows[0]?.known ?? 0;
  }
}
