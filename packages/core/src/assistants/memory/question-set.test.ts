import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  averageScore,
  countSilent,
  createRankers,
  scoreQuestions,
  storePassages,
} from "../../../testing/question-set/measure-search.ts";
import { loadQuestionSet } from "../../../testing/question-set/question-set.ts";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { createMemoryService } from "./memory.service.ts";

/** An nDCG@10 a few hundredths below what was measured; less is a loss that users would notice. */
const FLOORS = { paraphrase: 0.48, time: 0.47, multi: 0.5, language: 0.46, typo: 0.92, identifier: 0.9 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

// Takes seconds, but many times as long on a busy machine.
test("search answers questions about several projects, and prompts about other matters get nothing", async () => {
  const set = loadQuestionSet();
  const deps = createTestDeps(database.db);
  const memory = createMemoryService(deps);
  const places = await storePassages(set.passages, { memory, clock: deps.clock });
  await database.db.pool.query("ANALYZE memory_search_vectors");
  const { search, context } = createRankers(memory, places, set);
  const scores = await scoreQuestions(set.questions, search);
  const figures = Object.entries(FLOORS).map(([kind, floor]) => {
    const { ndcg } = averageScore(scores.filter((score) => score.kind === kind));
    return { kind, floor, ndcg };
  });
  expect(figures.filter(({ ndcg, floor }) => !(ndcg > floor))).toEqual([]);
  expect(await countSilent(set.prompts, context)).toBeGreaterThan(set.prompts.length * 0.93);
}, 120_000);
