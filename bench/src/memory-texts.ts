import { similarityKeys, storeSearchVectors, toSearchVector } from "@workspace/core/testing";
import type { Pool } from "@workspace/db";
import { v7 } from "uuid";
import { createRandom } from "./vault-notes.ts";

const VOCABULARY = 8_000;
const BATCH = 500;
const YEARS_MS = 3 * 365 * 24 * 3_600_000;
const ONSETS =
  "b bl br c ch cl cr d dr f fl fr g gr h j k l m n p ph pl pr qu r s sc sh sl sp st str t th tr v w wh y".split(" ");
const VOWELS = "a e i o u ai ea ee io oo ou y".split(" ");
const CODAS = " . . ck d ft l ll m n nd ng nt p r rd rt s ss st t te th x"
  .split(" ")
  .map((coda) => coda.replace(".", ""));

const WORDS = Array.from({ length: VOCABULARY }, (_, index) => toWord(index));

/** A text with a natural distribution of words: a few frequent and many rare ones, in sentences. */
export function toMemoryText(random: (below: number) => number, characters: number): string {
  const words: string[] = [];
  for (let length = 0; length < characters;) {
    const word = WORDS[Math.floor(VOCABULARY ** (random(1_000_000) / 1_000_000))] ?? "";
    words.push(words.length % 14 === 13 ? `${word}.` : word);
    length += word.length + 1;
  }
  return words.join(" ").slice(0, characters);
}

/** The most frequent words of these texts. */
export function frequentWords(count: number): readonly string[] {
  return WORDS.slice(0, count);
}

/** Replaces one word in ten by another. */
export function changeWords(text: string, random: (below: number) => number): string {
  const words = text.split(" ");
  return words.map((word) => (random(10) === 0 ? WORDS[random(VOCABULARY)] : word)).join(" ");
}

/** A word of one to four syllables; as in natural languages, frequent words are shorter. */
function toWord(index: number): string {
  const random = createRandom(Math.imul(index + 1, 2_654_435_761));
  const pick = (parts: readonly string[]): string => parts[random(parts.length)] ?? "";
  const syllables = index < 100 ? 1 : 1 + random(4);
  return Array.from({ length: syllables }, () => `${pick(ONSETS)}${pick(VOWELS)}${pick(CODAS)}`).join("");
}

/** Fills the table as after years of use. The search index is built afterwards, which is many times faster. */
export async function seedMemories(pool: Pool, { count, characters }: { count: number; characters: number }) {
  await pool.query("DROP INDEX memory_chunks_search_text_idx, memory_search_vectors_vector_idx");
  for (let start = 0; start < count; start += BATCH) {
    const texts = Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => ({
      id: v7(),
      content: toMemoryText(createRandom(start + offset), characters),
      createdAt: new Date(Date.now() - ((start + offset) / count) * YEARS_MS),
    }));
    await pool.query(
      `INSERT INTO memory_chunks (id, chunk_type, content, content_key, created_at, search_text)
       SELECT id, 'fact', content, md5(content), created_at, lower(content)
       FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS given (id, content, created_at)`,
      [texts.map(({ id }) => id), texts.map(({ content }) => content), texts.map(({ createdAt }) => createdAt)],
    );
    await storeSearchVectors(
      pool,
      texts.map((text) => toSearchVector({ ...text, sourceExcerpt: null, projectPath: null })),
    );
    const keys = texts.flatMap(({ id, content }) => similarityKeys(content, null).map((key) => [key, id] as const));
    await pool.query(
      "INSERT INTO memory_similarity_keys (key, memory_id) SELECT * FROM unnest($1::int[], $2::uuid[])",
      [keys.map(([key]) => key), keys.map(([, id]) => id)],
    );
  }
  await pool.query(`SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 2;
    CREATE INDEX memory_search_vectors_vector_idx ON memory_search_vectors USING gin (vector);
    CREATE INDEX memory_chunks_search_text_idx ON memory_chunks USING gin (search_text gin_trgm_ops)`);
  await pool.query("VACUUM ANALYZE memory_chunks, memory_similarity_keys, memory_search_vectors");
}
