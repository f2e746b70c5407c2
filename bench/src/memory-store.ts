/**
 * How long storing a memory takes over HTTP with 100,000 memories of 3,000 characters, alternating with a plain insert of
 * the same row into the same table; and how many of the texts that rephrase an earlier one are flagged:
 *
 *   npm run bench -- memory-store [memories=100000] [stores=300]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDb, type Pool } from "@workspace/db";
import { percentile } from "./model-service.ts";
import { changeWords, seedMemories, toMemoryText } from "./memory-texts.ts";
import { signIn, startService } from "./processes.ts";
import { createRandom } from "./vault-notes.ts";

const memories = Number(process.argv[2] ?? 100_000);
const stores = Number(process.argv[3] ?? 300);
const CHARACTERS = 3_000;
const PORT = 3995;
const GOAL_MS = 20;
/** A service that has run for years has compiled what it runs often. */
const WARM_UP_STORES = 200;

const dataDir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
const connection = { host: join(dataDir, "postgres"), port: 5432, user: "workspace", database: "workspace" };
const service = await startService(dataDir, PORT);
const { pool, close } = createDb(connection, { log: { info() {}, warn() {}, error() {} } });
try {
  const seededMs = await time(() => seedMemories(pool, { count: memories, characters: CHARACTERS }));
  console.log(`${memories} memories of ${CHARACTERS} characters, seeded in ${Math.round(seededMs / 1000)} s`);
  await printSizes(pool);
  const url = `http://127.0.0.1:${PORT}`;
  const cookie = await signIn(url);
  const store = async (content: string): Promise<string | null> => {
    const response = await fetch(`${url}/api/memory/store`, {
      method: "POST",
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ content, chunkType: "fact" }),
    });
    const body: { data: { nearDuplicateOfId: string | null } } = JSON.parse(await response.text());
    return body.data.nearDuplicateOfId;
  };
  for (let round = 0; round < WARM_UP_STORES; round += 1)
    await store(toMemoryText(createRandom(5_000_000 + round), CHARACTERS));
  await measure("new texts", store, (index) => toMemoryText(createRandom(6_000_000 + index), CHARACTERS));
  const random = createRandom(3);
  await measure("texts with a tenth of the words changed", store, (index) =>
    changeWords(toMemoryText(createRandom((index * 37) % memories), CHARACTERS), random),
  );
} finally {
  await close();
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

/** Alternates, so that a slowdown of the machine affects both. */
async function measure(
  name: string,
  store: (content: string) => Promise<string | null>,
  contentOf: (index: number) => string,
): Promise<void> {
  const ours: number[] = [];
  const plain: number[] = [];
  let flagged = 0;
  for (let index = 0; index < stores; index += 1) {
    const content = contentOf(index);
    ours.push(await time(async () => void ((await store(content)) !== null && (flagged += 1))));
    plain.push(await time(() => insertPlainly(`${content}.`)));
  }
  const describe = (times: readonly number[]): string =>
    `p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}, p99 ${percentile(times, 0.99)}, at most ${percentile(times, 1)} ms`;
  const isReached = percentile(ours, 0.95) <= GOAL_MS;
  console.log(`${name}: ${describe(ours)} (goal: p95 ${GOAL_MS} ms, ${isReached ? "ok" : "MISSED"})`);
  console.log(`  plain insert: ${describe(plain)}`);
  console.log(`  flagged as near duplicates: ${flagged} of ${stores}`);
}

async function insertPlainly(content: string): Promise<void> {
  await pool.query({
    name: "plain-insert",
    text: `INSERT INTO memory_chunks (id, chunk_type, content, content_key, created_at, search_text)
           VALUES ($1, 'fact', $2, $3, now(), lower($2))`,
    values: [randomUUID(), content, content.slice(0, 64)],
  });
}

async function printSizes(db: Pool): Promise<void> {
  const { rows } = await db.query<{ name: string; size: string }>(
    `SELECT relname AS name, pg_size_pretty(pg_total_relation_size(oid)) AS size FROM pg_class
     WHERE relname IN ('memory_chunks', 'memory_chunks_search_text_idx', 'memory_similarity_keys') ORDER BY relname`,
  );
  console.log(rows.map(({ name, size }) => `  ${name} ${size}`).join("\n"));
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
