import type { Pool } from "@workspace/db";
import { lineKeys } from "../../../packages/core/src/assistants/file-history/written-lines.ts";
import { seedHookEvents } from "../seed.ts";

/** So many of the events changed a file: 15 lines each, every fifth of which is one of 2,000 that are common. */
const TOUCHES = `
  INSERT INTO file_touches (event_id, path, session_id, project, root, is_whole, written_keys, created_at)
  SELECT id, 'src/file-' || (5000 * random() ^ 3)::int || '.ts', session_id, 'project-' || (random() * 20)::int,
    '/home/ada/project', random() < 0.1, CASE WHEN random() < 0.1 THEN $2::int[] ELSE '{}' END || ARRAY(
      SELECT CASE WHEN n % 5 = 0 THEN (random() * 2000)::int ELSE (random() * 4e9 - 2e9)::int END
      FROM generate_series(1, 15) AS n WHERE id IS NOT NULL), created_at
  FROM hook_events WHERE event_type = 'PostToolUse' LIMIT $1`;

/** A file that was written as a whole again and again. */
const OVERWRITES = `
  INSERT INTO file_touches (event_id, path, session_id, project, root, is_whole, written_keys, created_at)
  SELECT gen_random_uuid(), 'src/whole.ts', 'session-' || n, 'project-1', '/home/ada/project', true, $1::int[], now()
  FROM generate_series(1, 500) AS n`;

/** Texts that the files that are asked about were written with. */
interface WrittenTexts {
  /** Lines that many changes have in common. */
  readonly header: string;
  readonly long: string;
}

/** Stores events of hooks, and changes of files by some of them. */
export async function seedFileTouches(pool: Pool, events: number, { header, long }: WrittenTexts): Promise<void> {
  const startedAt = performance.now();
  await seedHookEvents(pool, events);
  const common = lineKeys(header).slice(0, 20);
  const { rowCount } = await pool.query(TOUCHES, [Math.round(events * 0.15), common]);
  await pool.query(OVERWRITES, [lineKeys(long)]);
  await pool.query("VACUUM ANALYZE hook_events, file_touches");
  const { rows } = await pool.query<Record<string, string>>(`
    SELECT pg_size_pretty(pg_table_size('file_touches')) AS touches, pg_size_pretty(pg_indexes_size('file_touches')) AS indexes,
           pg_size_pretty(pg_total_relation_size('hook_events')) AS "hook events"`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${events} events, ${rowCount} changes of files, in ${seconds} s:`, rows[0]);
}
