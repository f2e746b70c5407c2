/**
 * How long searching sessions takes, and how much space transcripts and their index need:
 *
 *   npm run bench -- session-search [turns=1000000] [characters=300] [searches=200]
 */
import { createSessionSearchService, createSessionTranscriptService, createTestDeps } from "@workspace/core/testing";
import type { Pool } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";
import { toMemoryText } from "./memory-texts.ts";
import { percentile } from "./model-service.ts";
import { createRandom } from "./vault-notes.ts";

const [count = 1_000_000, characters = 300, searches = 200] = process.argv.slice(2).map(Number);
const SESSION_TURNS = 200;
const PARALLEL_SESSIONS = 4;
const GOAL_MS = 100;
const LIMIT = 10;

/** Much faster than the index of the server, which recognises languages, and as large. */
const VECTORS = `
  INSERT INTO session_turn_vectors (session_id, position, dictionary, vector)
  SELECT $1, position, 'english_stem', setweight(to_tsvector('english', text), 'B')
  FROM unnest($2::text[]) WITH ORDINALITY AS turn (text, position)`;

await withBenchDatabase(
  async (db) => {
    await seed(db.pool);
    const sessions = createSessionSearchService({ db });
    for (const [kind, length] of [
      ["a word", 6],
      ["a few words", 20],
      ["a question", 60],
      ["a prompt", 300],
    ] as const) {
      const times: number[] = [];
      for (let index = 0; index < searches; index += 1) {
        const query = toMemoryText(createRandom(9_000_000 + length * 1_000 + index), length);
        const startedAt = performance.now();
        await sessions.search({ query, limit: LIMIT });
        times.push(performance.now() - startedAt);
      }
      const p95 = percentile(times, 0.95);
      const verdict = p95 <= GOAL_MS ? "ok" : "MISSED";
      console.log(`${kind}: p50 ${percentile(times, 0.5)}, p95 ${p95} ms (goal: p95 ${GOAL_MS} ms, ${verdict})`);
    }

    async function seed(pool: Pool): Promise<void> {
      const transcripts = createSessionTranscriptService({ ...createTestDeps(db), keepsTranscripts: true });
      await pool.query("DROP INDEX session_turn_vectors_vector_idx");
      let next = 0;
      const startedAt = performance.now();
      const work = async (): Promise<void> => {
        for (let session = next++; session < count / SESSION_TURNS; session = next++) {
          const sessionId = `session-${session}`;
          const texts = Array.from({ length: SESSION_TURNS }, (_, index) =>
            toMemoryText(createRandom(session * SESSION_TURNS + index + 1), characters),
          );
          const turns = texts.map((text) => ({ kind: "user" as const, text }));
          await transcripts.add({ sessionId, projectPath: `/project-${session % 50}` }, turns);
          await pool.query(VECTORS, [sessionId, texts]);
        }
      };
      await Promise.all(Array.from({ length: PARALLEL_SESSIONS }, work));
      await pool.query("UPDATE session_transcript_parts SET is_indexed = true");
      await pool.query("CREATE INDEX session_turn_vectors_vector_idx ON session_turn_vectors USING gin (vector)");
      await pool.query("VACUUM ANALYZE session_turn_vectors, session_transcript_parts, session_transcripts");
      const { rows } = await pool.query<Record<string, string>>(`
        SELECT pg_size_pretty(pg_total_relation_size('session_transcript_parts')) AS parts,
               pg_size_pretty(pg_table_size('session_turn_vectors')) AS vectors,
               pg_size_pretty(pg_relation_size('session_turn_vectors_vector_idx')) AS index`);
      const text = `${Math.round((count * characters) / 1e6)} MB of text`;
      console.log(`${count} turns, ${text}, in ${Math.round((performance.now() - startedAt) / 1000)} s:`, rows[0]);
    }
  },
  { shared_buffers: "512MB" },
);
