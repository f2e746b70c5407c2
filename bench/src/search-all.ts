/**
 * How long the search over everything takes, beside two simple ones over the same rows: LIKE with trigram indexes, and PostgreSQL's
 * full-text search with `ts_rank`:
 *
 *   npm run bench -- search-all [tasks=100000] [notes=20000] [events=1000000] [searches=200]
 *
 * Processor time is that of all database sessions and of this process, so it hardly depends on what else the machine does.
 */
import { loadavg } from "node:os";
import {
  createSearchIndex,
  createSearchService,
  createSessionTranscriptService,
  createTestDeps,
  createTurnIndex,
} from "@workspace/core/testing";
import type { Db, Pool } from "@workspace/db";
import { v7 } from "uuid";
import { withBenchDatabase } from "./bench-database.ts";
import { frequentWords, seedMemories, toMemoryText } from "./memory-texts.ts";
import { percentile } from "./model-service.ts";
import { processorTimeMs } from "./processor-time.ts";
import { createRandom } from "./vault-notes.ts";

const [tasks = 100_000, notes = 20_000, events = 1_000_000, searches = 200] = process.argv.slice(2).map(Number);
const GOAL_MS = 30;
const LIMIT = 20;
const BATCH = 500;
const MEMORIES = notes / 4;
const SESSIONS = 100;
const SESSION_TURNS = 100;
const EVENTS_PER_PROMPT = 25;
const PROMPTS_PER_SESSION = 20;
const YEARS_MS = 3 * 365 * 24 * 3_600_000;
const userId = v7();
const principal = { kind: "user", userId, name: "Ada", email: "ada@example.com" } as const;

/** The parameters of a batch as rows: ids, texts, times over the last years, and numbers. */
const ROWS = "unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::int[]) AS row (id, body, at, number)";

/** Each text is made from a number of its own. */
let textCount = 0;

const FREQUENT_WORDS = frequentWords(12);

type Random = (below: number) => number;

const QUERIES: Readonly<Record<string, (random: Random) => string>> = {
  "a word": (random) => wordOf(random),
  "a beginning": (random) => wordOf(random, 4).slice(0, 3),
  "two words": (random) => `${wordOf(random)} ${wordOf(random)}`,
  "a few words": (random) => toMemoryText(random, 30),
  "a question": (random) => toMemoryText(random, 70),
  "a misspelt word": (random) => misspelt(wordOf(random, 6), random),
  "two of the most frequent words": (random) => [0, 1].map(() => FREQUENT_WORDS[random(12)]).join(" "),
};

const ROWS_OF_SOURCES = {
  task: "SELECT id, id::text AS shown_id, title, modified_at AS at, description AS body FROM tasks",
  document: `
    SELECT id, id::text AS shown_id, title, modified_at AS at, content AS body
    FROM documents JOIN document_texts ON document_id = id`,
  prompt: `
    SELECT id, session_id AS shown_id, '' AS title, created_at AS at, event_data ->> 'prompt' AS body
    FROM hook_events WHERE event_type = 'UserPromptSubmit'`,
  memory: "SELECT id, id::text AS shown_id, '' AS title, created_at AS at, content AS body FROM memory_chunks",
};

const SIZES = `
  SELECT count(*)::int AS entries, pg_size_pretty(pg_table_size('search_entries')) AS table,
    pg_size_pretty(pg_indexes_size('search_entries')) AS indexes FROM search_entries`;

const TS_RANK = `
  SELECT source, source_id FROM search_entries, plainto_tsquery('english', $1) AS query
  WHERE vector @@ query ORDER BY ts_rank(vector, query) DESC, occurred_at DESC LIMIT ${LIMIT}`;

await withBenchDatabase(
  async (db) => {
    await seed(db);
    const deps = createTestDeps(db);
    const searchIndex = createSearchIndex(deps);
    console.log((await db.pool.query(SIZES)).rows[0]);
    const { find } = createSearchService({ db, textIndexer: { settled: async () => undefined }, searchIndex });
    for (const [kind, toQuery] of Object.entries(QUERIES)) {
      const queries = Array.from({ length: searches }, (_, index) => toQuery(createRandom(7_000_000 + index)));
      const ours = await measure(db.pool, queries, (q) => find({ q, limit: LIMIT }, principal));
      const like = await measure(db.pool, queries, (q) => findLike(db.pool, q));
      const ranked = await measure(db.pool, queries, (q) => db.pool.query(TS_RANK, [q]));
      const verdict = ours.p95 <= GOAL_MS ? "ok" : "MISSED";
      console.log(`${kind}: ${describe(ours)} (goal: p95 ${GOAL_MS} ms, ${verdict}); load ${loadavg()[0]?.toFixed(1)}`);
      console.log(`  LIKE: ${describe(like)}\n  ts_rank: ${describe(ranked)}`);
    }
  },
  { shared_buffers: "512MB" },
);

/** A word of a text, as frequent as it is there. */
function wordOf(random: Random, least = 2): string {
  for (;;) {
    const words = toMemoryText(random, 60).split(/\W+/).slice(0, -1);
    const found = words.find((one) => one.length >= least);
    if (found !== undefined) return found;
  }
}

function misspelt(word: string, random: Random): string {
  const at = 2 + random(word.length - 3);
  return `${word.slice(0, at)}${word.slice(at + 1)}`;
}

/** What tasks and documents with all words contain, the last changed first. */
function findLike(pool: Pool, query: string) {
  const words = query
    .toLowerCase()
    .split(/\W+/)
    .filter((one) => one !== "")
    .map((one) => `%${one}%`);
  const conditions = (column: string) => words.map((_, index) => `${column} LIKE $${index + 1}`).join(" AND ");
  return pool.query(
    `SELECT * FROM (
       SELECT id, modified_at FROM tasks WHERE deleted_at IS NULL AND ${conditions("search_text")}
       UNION ALL
       SELECT id, modified_at FROM documents JOIN document_texts t ON document_id = id
       WHERE deleted_at IS NULL AND ${conditions("t.search_text")}
     ) AS found ORDER BY modified_at DESC LIMIT ${LIMIT}`,
    words,
  );
}

interface Measured {
  readonly p50: number;
  readonly p95: number;
  /** Of the processors, on average. */
  readonly processorMs: number;
}

async function measure(
  pool: Pool,
  queries: readonly string[],
  search: (query: string) => Promise<unknown>,
): Promise<Measured> {
  for (const query of queries.slice(0, 10)) await search(query);
  const times: number[] = [];
  const before = await processorTimeMs(pool);
  for (const query of queries) {
    const startedAt = performance.now();
    await search(query);
    times.push(performance.now() - startedAt);
  }
  const used = (await processorTimeMs(pool)) - before;
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), processorMs: used / queries.length };
}

function describe({ p50, p95, processorMs: used }: Measured): string {
  return `p50 ${p50}, p95 ${p95} ms, ${used.toFixed(1)} ms of processor time`;
}

async function seed(db: Db): Promise<void> {
  const { pool } = db;
  await pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@example.com', now())", [
    userId,
  ]);
  await inBatches(tasks, 250, (rows) =>
    pool.query(
      `INSERT INTO tasks (id, title, description, creator_id, created_at, modified_at, search_text)
       SELECT id, left(body, 45), substr(body, 46), '${userId}', at, at, lower(body) FROM ${ROWS}`,
      rows,
    ),
  );
  await inBatches(notes, 2_000, async (rows) => {
    await pool.query(
      `INSERT INTO documents (id, creator_id, title, path, directory, link_name, file_type, content_hash, size_bytes,
         mtime_ns, birthtime_ns, inode, created_at, modified_at, search_text)
       SELECT id, '${userId}', left(body, 40), 'notes/' || id || '.md', 'notes', '', 'markdown', '', 0, 0, 0, 0, at, at,
         lower(left(body, 40)) FROM ${ROWS}`,
      rows,
    );
    await pool.query(
      `INSERT INTO document_texts (document_id, content_hash, content, search_text)
       SELECT id, '', body, lower(body) FROM ${ROWS}`,
      rows,
    );
  });
  await inBatches(events / EVENTS_PER_PROMPT, 200, (rows) =>
    pool.query(
      `INSERT INTO hook_events (id, event_type, session_id, tool_name, event_data, created_at)
       SELECT CASE event WHEN 0 THEN id ELSE gen_random_uuid() END,
         (CASE event WHEN 0 THEN 'UserPromptSubmit' ELSE 'PreToolUse' END)::hook_event_type,
         'session-' || number / ${PROMPTS_PER_SESSION}, CASE WHEN event > 0 THEN 'Bash' END,
         CASE event WHEN 0 THEN jsonb_build_object('prompt', body) ELSE '{"tool_input":{"command":"ls"}}' END,
         at + event * interval '1 second'
       FROM ${ROWS}, generate_series(0, ${EVENTS_PER_PROMPT - 1}) AS event`,
      rows,
    ),
  );
  await seedMemories(pool, { count: MEMORIES, characters: 300 });
  const deps = createTestDeps(db);
  const transcripts = createSessionTranscriptService({ ...deps, keepsTranscripts: true });
  for (let session = 0; session < SESSIONS; session += 1) {
    const turns = Array.from({ length: SESSION_TURNS }, (_, index) => ({
      kind: "user" as const,
      text: toMemoryText(createRandom(5_000_000 + session * SESSION_TURNS + index), 300),
    }));
    await transcripts.add({ sessionId: `session-${session}`, projectPath: "/project" }, turns);
  }
  await createTurnIndex(deps).catchUp();
  await index(pool);
}

/** Much faster than the index of the server, which recognises languages, and as large. */
async function index(pool: Pool): Promise<void> {
  await pool.query("DROP INDEX search_entries_vector_idx");
  for (const [source, rows] of Object.entries(ROWS_OF_SOURCES)) {
    await pool.query(
      `INSERT INTO search_entries (source, source_id, shown_id, title, occurred_at, dictionary, vector)
       SELECT '${source}', id, shown_id, lower(title), at, 'english_stem', setweight(to_tsvector('english', title), 'A')
         || setweight(to_tsvector('english', body), 'C') || array_to_tsvector(ARRAY['#${source}']) FROM (${rows}) AS row`,
    );
  }
  await pool.query("TRUNCATE search_changes");
  await pool.query(
    `INSERT INTO search_words (word)
     SELECT word FROM ts_stat('SELECT vector FROM search_entries') WHERE word ~ '^[[:alpha:]]{4,24}$'`,
  );
  await pool.query("CREATE INDEX search_entries_vector_idx ON search_entries USING gin (vector)");
  await pool.query("VACUUM ANALYZE");
}

async function inBatches(
  count: number,
  characters: number,
  insert: (rows: unknown[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => start + index);
    await insert([
      numbers.map(() => v7()),
      numbers.map(() => toMemoryText(createRandom((textCount += 1)), characters)),
      numbers.map((number) => new Date(Date.now() - (1 - number / count) * YEARS_MS)),
      numbers,
    ]);
  }
}
