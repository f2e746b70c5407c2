/**
 * How long searching memories takes, by words and also by random vectors (without the embedding model's response), beside
 * PostgreSQL's own full-text search over the same words:
 *
 *   npm run bench -- memory-search [memories=100000] [characters=3000] [searches=300]
 */
import { createMemoryService, createTestDeps } from "@workspace/core/testing";
import { withBenchDatabase } from "./bench-database.ts";
import { seedMemories, toMemoryText } from "./memory-texts.ts";
import { percentile } from "./model-service.ts";
import { createRandom } from "./vault-notes.ts";

const [count = 100_000, characters = 3_000, searches = 300] = process.argv.slice(2).map(Number);
const LIMIT = 20;
const GOAL_MS = count > 100_000 ? 60 : 25;

const PLAIN = `
  SELECT m.* FROM (
    SELECT memory_id, ts_rank(vector, query) AS rank FROM memory_search_vectors, to_tsquery('english', $1) AS query
    WHERE vector @@ query ORDER BY rank DESC LIMIT ${LIMIT}
  ) AS found JOIN memory_chunks m ON m.id = memory_id ORDER BY rank DESC`;

/** Those of texts about different matters are as good as random. */
const RANDOM_VECTORS = `
  INSERT INTO memory_embeddings (memory_id, space, content_key, project_path, signature)
  SELECT id, 'random', content_key, project_path,
    (SELECT string_agg(('x' || md5(id::text || part))::bit(128)::text, '')::bit(1024) FROM generate_series(1, 8) AS part)
  FROM memory_chunks`;

await withBenchDatabase(
  async (db) => {
    await seedMemories(db.pool, { count, characters });
    await db.pool.query(RANDOM_VECTORS);
    await db.pool.query("ANALYZE memory_embeddings");
    const deps = createTestDeps(db);
    const memory = createMemoryService(deps);
    const find = async () => ({ space: "random", signature: randomBits(1_024) });
    const withVectors = createMemoryService({ ...deps, embeddings: { find } });
    console.log(`${count} memories of ${characters} characters`);
    for (const [kind, length] of [
      ["a word", 6],
      ["a few words", 20],
      ["a question", 60],
      ["a prompt", 300],
    ] as const) {
      const ours: number[] = [];
      const byVectors: number[] = [];
      const plain: number[] = [];
      for (let index = 0; index < searches; index += 1) {
        const query = toMemoryText(createRandom(9_000_000 + length * 1_000 + index), length);
        ours.push(await time(() => memory.search({ query, limit: LIMIT })));
        byVectors.push(await time(() => withVectors.search({ query, limit: LIMIT })));
        plain.push(
          await time(() => db.pool.query(PLAIN, [query.replaceAll(/\W+/g, " | ").replaceAll(/^[ |]+|[ |]+$/g, "")])),
        );
      }
      const isReached = percentile(ours, 0.95) <= GOAL_MS;
      console.log(`${kind}: ${describe(ours)} (goal: p95 ${GOAL_MS} ms, ${isReached ? "ok" : "MISSED"})`);
      console.log(`  with vectors: ${describe(byVectors)}`);
      console.log(`  full-text search with ts_rank: ${describe(plain)}`);
    }
  },
  { shared_buffers: "512MB" },
);

function randomBits(count: number): string {
  return Array.from({ length: count }, () => (Math.random() < 0.5 ? "0" : "1")).join("");
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function describe(times: readonly number[]): string {
  return `p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}, at most ${percentile(times, 1)} ms`;
}
