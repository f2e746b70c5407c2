/**
 * What filters of tasks and queries in notes cost:
 *
 *   npm run bench -- filters [tasks=100000] [notes=20000] [runs=50]
 *
 * The goal for a filter is 20 ms with 10,000 tasks, for a query 50 ms with 100,000 tasks and 20,000 notes. Processor time is that of
 * all database sessions and of this process, so it hardly depends on what else the machine does.
 */
import { loadavg } from "node:os";
import { createQueryService, createTaskService, createTestDeps } from "@workspace/core/testing";
import type { Db, Pool } from "@workspace/db";
import { v7 } from "uuid";
import { withBenchDatabase } from "./bench-database.ts";
import { toMemoryText } from "./memory-texts.ts";
import { percentile } from "./model-service.ts";
import { processorTimeMs } from "./processor-time.ts";
import { createRandom } from "./vault-notes.ts";

const [taskCount = 100_000, noteCount = 20_000, runs = 50] = process.argv.slice(2).map(Number);
const FILTER_GOAL_MS = 20;
const QUERY_GOAL_MS = 50;
const PAGE = 200;
const BATCH = 500;
const userId = v7();
const principal = { kind: "user", userId, name: "Ada", email: "ada@example.com" } as const;

const FILTERS = [
  "status:todo,blocked",
  "priority >= high and status:open",
  "due:overdue",
  "due:this-week and not tag:t3",
  "tag:t1 or #t2",
  "project:Garden and due <= today + 7d and status:open",
  "assignee:none and created:last-7-days",
  "title contains gl",
  "title contains gli",
  "not (status:done or due:none) and (tag:t1,t2 or priority:high)",
];
const QUERIES = [
  "from tasks\nwhere due <= today + 7d and status != done\nsort due, priority desc",
  "from tasks\nwhere project = Garden and priority = high\ngroup status",
  "from tasks\nwhere #t1 and not due is empty\nsort title\ncolumns title, due, tags",
  "from tasks\nwhere #t1",
  "from tasks\nwhere not #t1 and priority = high\nsort due",
  "from notes\nwhere #t1 and rating >= 4\nsort title\ncolumns title, author, rating",
  "from notes\nwhere author = Author 7 or rating = 5\nsort rating desc",
  "from notes\nwhere modified = this month and folder = Folder 3\ngroup folder",
  "from notes\nwhere text contains gli",
  "from notes\nwhere text contains gl and date < today - 1 month",
];

await withBenchDatabase(
  async (db) => {
    await seed(db);
    const deps = createTestDeps(db);
    const tasks = createTaskService({ ...deps, timeZone: "UTC" });
    const queries = createQueryService({ ...deps, timeZone: "UTC", indexer: { settled: async () => undefined } });
    for (const filter of FILTERS)
      await measure(db.pool, filter, FILTER_GOAL_MS, () => tasks.list({ filter, limit: PAGE }, userId));
    for (const query of QUERIES)
      await measure(db.pool, query.replaceAll("\n", "; "), QUERY_GOAL_MS, async () => {
        const [result] = await queries.run({ queries: [query] }, principal);
        if (result === undefined || result.problem !== null) throw new Error(result?.problem?.message);
      });
  },
  { shared_buffers: "512MB" },
);

async function measure(pool: Pool, name: string, goalMs: number, run: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < 5; index += 1) await run();
  const times: number[] = [];
  const before = await processorTimeMs(pool);
  for (let index = 0; index < runs; index += 1) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  const used = ((await processorTimeMs(pool)) - before) / runs;
  const p95 = percentile(times, 0.95);
  const verdict = p95 <= goalMs ? "ok" : "MISSED";
  console.log(
    `${name}\n  p50 ${percentile(times, 0.5)}, p95 ${p95} ms (goal ${goalMs}, ${verdict}), ${used.toFixed(1)} ms of processor time; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

async function seed({ pool }: Db): Promise<void> {
  await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@example.com', now())", [
    userId,
  ]);
  const projects = ["Garden", "House", "Work", "Travel", "Music"].map((name) => ({ id: v7(), name }));
  await pool.query(
    "INSERT INTO projects (id, name, color, created_at, modified_at) SELECT *, '#3b82f6', now(), now() FROM unnest($1::uuid[], $2::text[])",
    [projects.map(({ id }) => id), projects.map(({ name }) => name)],
  );
  await inBatches(taskCount, 120, (rows) =>
    pool.query(
      `INSERT INTO tasks (id, title, description, creator_id, created_at, modified_at, search_text, status, completed_at, priority,
         project_id, due_date, tags)
       SELECT id, left(body, 40), substr(body, 41), '${userId}', now() - n * interval '10 minutes', now() - n * interval '5 minutes',
         lower(left(body, 40)) || E'\\x1f' || lower(substr(body, 41)),
         (ARRAY['todo', 'done', 'in_progress', 'done', 'blocked'])[1 + n % 5]::task_status,
         CASE WHEN n % 5 IN (1, 3) THEN now() END, 1 + n % 3, ($4::uuid[])[1 + n % 7],
         CASE WHEN n % 3 > 0 THEN to_char(now() + (n % 400 - 200) * interval '1 day', 'YYYY-MM-DD') END,
         CASE WHEN n % 4 = 0 THEN '{}' ELSE ARRAY['t' || n % 23] END
       FROM unnest($1::uuid[], $2::text[], $3::int[]) AS row (id, body, n)`,
      [...rows, projects.map(({ id }) => id)],
    ),
  );
  await inBatches(noteCount, 1_500, async (rows) => {
    await pool.query(
      `INSERT INTO documents (id, creator_id, title, path, directory, link_name, file_type, content_hash, size_bytes, mtime_ns,
         birthtime_ns, inode, created_at, modified_at, tags, search_text)
       SELECT id, '${userId}', left(body, 40), 'Folder ' || n % 20 || '/' || id || '.md', 'Folder ' || n % 20, lower(left(body, 40)),
         'markdown', '', length(body), 0, 0, 0, now() - n * interval '1 hour', now() - n * interval '20 minutes', ARRAY['t' || n % 23],
         lower(left(body, 40)) || E'\\x1f' || 'folder ' || n % 20 || '/' || id || '.md' FROM unnest($1::uuid[], $2::text[], $3::int[]) AS row (id, body, n)`,
      rows,
    );
    await pool.query(
      `INSERT INTO document_texts (document_id, content_hash, content, search_text)
       SELECT id, '', body, lower(body) FROM unnest($1::uuid[], $2::text[]) AS row (id, body)`,
      rows.slice(0, 2),
    );
    const properties = `jsonb_build_object('rating', 1 + n % 5, 'author', 'PREFIX ' || n % 50, 'date', to_char(now() - n * interval '1 day', 'YYYY-MM-DD'))`;
    await pool.query(
      `INSERT INTO document_properties (document_id, content_hash, shown, folded)
       SELECT id, '', ${properties.replace("PREFIX", "Author")}, ${properties.replace("PREFIX", "author")}
       FROM unnest($1::uuid[], $2::int[]) AS row (id, n)`,
      [rows[0], rows[2]],
    );
  });
  await pool.query("VACUUM ANALYZE");
}

async function inBatches(
  count: number,
  characters: number,
  insert: (rows: [string[], string[], number[]]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => start + index);
    await insert([
      numbers.map(() => v7()),
      numbers.map((number) => toMemoryText(createRandom(number + characters * 1_000_000), characters)),
      numbers,
    ]);
  }
}
