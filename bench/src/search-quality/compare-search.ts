import {
  averageScore,
  countSilent,
  createMemoryService,
  createRankers,
  createTestDeps,
  createTestEmbeddings,
  scoreQuestions,
  startModelDouble,
  storePassages,
  type Score,
  type SearchSet,
} from "@workspace/core/testing";
import type { Db } from "@workspace/db";
import { withBenchDatabase } from "../bench-database.ts";
import { createBm25 } from "./bm25.ts";
import { createFts5 } from "./fts5.ts";

const MODEL_WAIT_MS = 60_000;
const { EMBEDDINGS_BASE_URL, EMBEDDINGS_MODEL } = process.env;
const ALL = "all";
const VECTORS = `with vectors (${EMBEDDINGS_MODEL ?? "hashed n-grams"})`;

/**
 * Measures search and context on sets, beside BM25 and SQLite's FTS5 over the same texts, and prints averages over the
 * questions of all sets. The vectors are those of the double, which are hashed n-grams and know no meaning, or those of
 * EMBEDDINGS_MODEL at EMBEDDINGS_BASE_URL.
 */
export async function compareSearch(name: string, sets: readonly SearchSet[]): Promise<void> {
  const scores = new Map<string, Score[]>();
  const silent = new Map<string, number>();
  await withBenchDatabase(async (db) => {
    for (const set of sets) {
      const measured = await measure(db, set);
      for (const [ranker, found] of measured.scores) scores.set(ranker, [...(scores.get(ranker) ?? []), ...found]);
      for (const [context, count] of measured.silent) silent.set(context, (silent.get(context) ?? 0) + count);
    }
  });
  const count = (part: (set: SearchSet) => { readonly length: number }): number =>
    sets.reduce((sum, set) => sum + part(set).length, 0);
  console.log(
    `\n${name}: ${count(({ passages }) => passages)} texts, ${count(({ questions }) => questions)} questions`,
  );
  for (const [ranker, found] of scores) printScores(ranker, found);
  const prompts = count((set) => set.prompts);
  for (const [context, found] of silent)
    console.log(`prompts about other matters that get nothing, ${context}: ${found} of ${prompts}`);
}

async function measure(db: Db, set: SearchSet) {
  const deps = createTestDeps(db);
  const memory = createMemoryService(deps);
  const double = await startModelDouble();
  const baseUrl = EMBEDDINGS_BASE_URL ?? double.baseUrl;
  const model = EMBEDDINGS_MODEL === undefined ? {} : { model: EMBEDDINGS_MODEL };
  const embeddings = await createTestEmbeddings(deps, { baseUrl, ...model });
  const places = await storePassages(set.passages, { memory, clock: deps.clock });
  // As autovacuum does before long.
  await db.pool.query("ANALYZE memory_search_vectors");
  await embeddings.catchUp();
  // What is measured must not depend on how busy the machine is.
  const patient = { find: (query: string) => embeddings.find(query, MODEL_WAIT_MS) };
  const words = createRankers(memory, places, set);
  const vectors = createRankers(createMemoryService({ ...deps, embeddings: patient }), places, set);
  const texts = set.passages.map(({ text }) => text);
  const bm25 = createBm25(texts, await createStemmer(db, [...texts, ...set.questions.map(({ text }) => text)]));
  const fts5 = createFts5(texts);
  const rankers = {
    search: words.search,
    [`search ${VECTORS}`]: vectors.search,
    context: words.context,
    [`context ${VECTORS}`]: vectors.context,
    BM25: bm25,
    FTS5: fts5.rank,
  };
  const scores = new Map<string, Score[]>();
  for (const [ranker, rank] of Object.entries(rankers)) scores.set(ranker, await scoreQuestions(set.questions, rank));
  const silent = new Map([
    ["words", await countSilent(set.prompts, words.context)],
    [VECTORS, await countSilent(set.prompts, vectors.context)],
  ]);
  fts5.close();
  await embeddings.close();
  await double.close();
  return { scores, silent };
}

/** Of all questions, and of those of each kind. */
function printScores(ranker: string, scores: readonly Score[]): void {
  console.log(`${ranker}:`);
  for (const kind of [ALL, ...new Set(scores.map((score) => score.kind))]) {
    const ofKind = scores.filter((score) => kind === ALL || score.kind === kind);
    const { ndcg, recall, hit } = averageScore(ofKind);
    const columns = [`nDCG@10 ${ndcg.toFixed(3)}`, `recall@10 ${recall.toFixed(3)}`, `hit@5 ${hit.toFixed(3)}`];
    console.log([`  ${kind}`.padEnd(14), ...columns, `${ofKind.length} questions`].join("  "));
  }
}

/** Reduces the words of these texts to their stems as PostgreSQL does. */
async function createStemmer(db: Db, texts: readonly string[]): Promise<(word: string) => string> {
  const words = [...new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []))];
  const { rows } = await db.pool.query<{ word: string; stem: string | null }>(
    "SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) AS word",
    [words],
  );
  const stems = new Map(rows.map(({ word, stem }) => [word, stem ?? word]));
  return (word) => stems.get(word) ?? word;
}
