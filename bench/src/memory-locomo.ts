/**
 * How well search finds the answers to questions about long conversations, by the public set LoCoMo, beside BM25 and
 * SQLite's FTS5 over the same texts:
 *
 *   npx tsx bench/src/memory-locomo.ts <locomo10.json> [first conversation=1] [last conversation=10]
 *
 * The vectors are those of the double, which are hashed n-grams and know no meaning, or those of EMBEDDINGS_MODEL at
 * EMBEDDINGS_BASE_URL.
 *
 * The set may not be used commercially and is not part of this repository. Parameters were chosen on its first five
 * conversations only.
 */
import { readFileSync } from "node:fs";
import type { Db } from "@workspace/db";
import {
  createMemoryService,
  createTestDeps,
  createTestEmbeddings,
  startModelDouble,
  type MemoryService,
} from "@workspace/core/testing";
import { withBenchDatabase } from "./bench-database.ts";
import { createBm25 } from "./memory-locomo/bm25.ts";
import { createFts5 } from "./memory-locomo/fts5.ts";
import { ORDINARY_PROMPTS } from "./memory-locomo/ordinary-prompts.ts";
import { readLocomo, type Conversation } from "./memory-locomo/locomo.ts";
import { createFigures, formatFigures, type Figures } from "./memory-locomo/ranking-figures.ts";

const DEPTH = 10;
const CONTEXT = 5;
const MODEL_WAIT_MS = 60_000;
const [file, first = "1", last = "10"] = process.argv.slice(2);
if (file === undefined) throw new Error("Usage: npx tsx bench/src/memory-locomo.ts <locomo10.json> [first] [last]");

const double = await startModelDouble();
const { EMBEDDINGS_BASE_URL: baseUrl = double.baseUrl, EMBEDDINGS_MODEL: model } = process.env;
const vectors = `words + embeddings (${model ?? "double: hashed n-grams"})`;
const conversations = readLocomo(JSON.parse(readFileSync(file, "utf8"))).slice(Number(first) - 1, Number(last));
for (const kind of ["observations", "turns"] as const) {
  console.log(`\n${kind}: ${conversations.reduce((sum, { [kind]: passages }) => sum + passages.length, 0)}`);
  const [words, withVectors] = [createRun(), createRun()];
  const rivals = { BM25: createFigures(), FTS5: createFigures() };
  await withBenchDatabase(async (db) => {
    for (const conversation of conversations) {
      const memory = await remember(db, conversation, kind);
      await askMemory(words, conversation, kind, memory.byWords);
      await askMemory(withVectors, conversation, kind, memory.byVectors);
      await memory.close();
      const texts = conversation[kind].map(({ text }) => text);
      const stem = await createStemmer(db, [...texts, ...questionsOf(conversation)]);
      await ask(rivals.BM25, conversation, kind, createBm25(texts, stem));
      const fts5 = createFts5(texts);
      await ask(rivals.FTS5, conversation, kind, fts5.rank);
      fts5.close();
    }
  });
  for (const [name, { search, context, silent, prompts }] of Object.entries({ words, [vectors]: withVectors })) {
    console.log(`${name}:`);
    console.log(formatFigures("search", search));
    console.log(formatFigures("context", context));
    console.log(`prompts about other matters without a context: ${silent} of ${prompts}`);
  }
  for (const [name, figures] of Object.entries(rivals)) console.log(formatFigures(name, figures));
}
await double.close();

/** What is measured of one way to search. */
function createRun() {
  return { search: createFigures(), context: createFigures(), silent: 0, prompts: 0 };
}

async function askMemory(
  run: ReturnType<typeof createRun>,
  conversation: Conversation,
  kind: "observations" | "turns",
  { search, context }: { search: Ranker; context: Ranker },
): Promise<void> {
  await ask(run.search, conversation, kind, search);
  await ask(run.context, conversation, kind, context);
  for (const prompt of ORDINARY_PROMPTS) {
    run.prompts += 1;
    if ((await context(prompt)).length === 0) run.silent += 1;
  }
}

type Ranker = (question: string) => number[] | Promise<number[]>;

/** A question counts if any passage holds evidence for its answer. */
async function ask(
  figures: Figures,
  conversation: Conversation,
  kind: "observations" | "turns",
  rank: Ranker,
): Promise<void> {
  for (const { question, evidence } of conversation.questions) {
    const relevant = new Set(
      conversation[kind].flatMap(({ turns }, index) => (turns.some((turn) => evidence.has(turn)) ? [index] : [])),
    );
    if (relevant.size > 0) figures.add(relevant, await rank(question));
  }
}

function questionsOf({ questions }: Conversation): string[] {
  return questions.map(({ question }) => question);
}

/** Reduces the words of these texts to their stems as PostgreSQL does. */
async function createStemmer(db: Db, texts: readonly string[]): Promise<(word: string) => string> {
  const words = [...new Set(texts.flatMap((text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []))];
  const { rows } = await db.pool.query<{ word: string; stem: string | null }>(
    "SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) AS word",
    [words],
  );
  const stems = new Map(rows.map(({ word, stem }) => [word, stem ?? word]));
  return (word) => stems.get(word) ?? word;
}

/** Stores the passages as the memories of a project, each session as one, to be asked as a client would. */
async function remember(db: Db, conversation: Conversation, kind: "observations" | "turns") {
  const deps = createTestDeps(db);
  const memory = createMemoryService(deps);
  const embeddings = await createTestEmbeddings(deps, { baseUrl, ...(model !== undefined && { model }) });
  const projectPath = `/conversations/${conversation.id}`;
  const indexes = new Map<string, number>();
  for (const [index, { text, session, at }] of conversation[kind].entries()) {
    deps.clock.set(new Date(at.getTime() + index * 1000));
    const sessionId = `${conversation.id}/${session}`;
    const { id } = await memory.store({ content: text, chunkType: "fact", projectPath, sessionId });
    indexes.set(id, index);
  }
  const toIndexes = (found: readonly { readonly id: string }[]): number[] =>
    found.map(({ id }) => indexes.get(id) ?? -1);
  await embeddings.catchUp();
  // What is measured must not depend on how busy the machine is.
  const patient = { find: (query: string) => embeddings.find(query, MODEL_WAIT_MS) };
  const rankersOf = ({ search, context }: MemoryService): { search: Ranker; context: Ranker } => ({
    search: async (query) => toIndexes(await search({ query, projectPath, limit: DEPTH })),
    context: async (query) => toIndexes((await context({ query, project: projectPath, limit: CONTEXT })).memories),
  });
  return {
    byWords: rankersOf(memory),
    byVectors: rankersOf(createMemoryService({ ...deps, embeddings: patient })),
    close: embeddings.close,
  };
}
