/**
 * What hook events take on disk, table and indexes, and what statistics and lists take in processor time, with a growing number of
 * them, on the embedded database with default settings:
 *
 *   npm run bench -- hook-event-storage [events …]
 */
import { systemClock } from "@workspace/core";
import { createHookStatisticsService } from "@workspace/core/testing";
import type { Db } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";

const SIZES = process.argv.slice(2).map(Number);
const ROUNDS = 30;
/** Rows of one statement, which arrive in order of time. */
const SEEDED_AT_ONCE = 100_000;

const LISTS = {
  "all, newest first": "true",
  "of a session": "session_id = md5('s1')::uuid::text",
  "of a tool": "tool_name = 'mcp__rare__tool'",
  "of a type": "event_type = 'UserPromptSubmit'",
  blocked: "blocked",
};

for (const size of SIZES.length > 0 ? SIZES : [1_000_000, 10_000_000]) {
  await withBenchDatabase((db) => measure(db, size));
}

async function measure(db: Db, size: number): Promise<void> {
  await db.pool.query("ALTER TABLE hook_events DISABLE TRIGGER USER");
  for (let from = 1; from <= size; from += SEEDED_AT_ONCE) await seed(db, from, size);
  await db.pool.query("ALTER TABLE hook_events ENABLE TRIGGER USER");
  await db.pool.query("VACUUM ANALYZE hook_events");
  console.log(`${size} events`);
  for (const { name, bytes } of await sizes(db))
    console.log(`  ${name.padEnd(45)} ${(bytes / size).toFixed(1)} bytes an event`);
  const statistics = createHookStatisticsService({ db, clock: systemClock });
  await statistics.summarize({ period: "30d" });
  for (const tz of ["UTC", "Asia/Kathmandu"]) {
    console.log(`  statistics, ${tz}: ${await medianMs(() => statistics.summarize({ period: "30d", tz }))} ms`);
  }
  for (const [name, condition] of Object.entries(LISTS)) {
    const text = `SELECT * FROM hook_events WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT 51`;
    console.log(`  list, ${name}: ${await medianMs(() => db.pool.query(text))} ms`);
  }
}

/** Events as the hooks record them: 200 of each session, over a year. Ids grow with time. */
async function seed(db: Db, from: number, size: number): Promise<void> {
  await db.pool.query(
    `INSERT INTO hook_events (id, event_type, session_id, project_dir, tool_name, tool_matcher, event_data, exit_code, blocked,
       duration_ms, hook_script, created_at)
     SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || substr(md5(i::text), 1, 20))::uuid,
       (ARRAY['PreToolUse', 'PostToolUse', 'PreToolUse', 'PostToolUse', 'PreToolUse', 'PostToolUse', 'UserPromptSubmit',
              'PostToolUseFailure'])[1 + (random() * 7)::int]::hook_event_type,
       md5('s' || (i / 200))::uuid::text, '/home/ada/projects/garden-planner',
       CASE WHEN i % 10007 = 0 THEN 'mcp__rare__tool' ELSE (ARRAY['Bash', 'Read', 'Edit', 'Write', 'Grep', 'Glob'])[1 + (random() * 5)::int] END,
       '*', jsonb_build_object('harness', 'claude-code', 'project', '/home/ada/projects/garden-planner',
         'toolUseId', 'toolu_01' || substr(md5(random()::text), 1, 22), 'toolInput', jsonb_build_object(
           'command', 'npm run test -- src/features/' || md5(i::text) || '.test.ts', 'description', 'Run the tests of feature ' || i)),
       0, random() < 0.02, round((random() * 50)::numeric, 1), '/home/ada/.local/share/workspace-hooks/workspace-hooks.cjs', at
     FROM generate_series($1::int, $2::int) AS i, LATERAL (SELECT now() - interval '365 days' * (($3::float - i) / $3) AS at) AS times`,
    [from, Math.min(from + SEEDED_AT_ONCE - 1, size), size],
  );
}

async function sizes(db: Db): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await db.pool.query<{ name: string; bytes: string }>(`
    SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class
    WHERE oid = 'hook_events'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'hook_events'::regclass)
    UNION ALL SELECT 'in all', pg_total_relation_size('hook_events')`);
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
}

async function medianMs(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return (times.toSorted((one, other) => one - other)[ROUNDS / 2] ?? 0).toFixed(1);
}
