import { transaction } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { storeProposals } from "./extracted-memories.ts";
import { keepReviewedByTime } from "./memory-review.ts";
import { createMemoryService } from "./memory.service.ts";

let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks, memory_extractions, settings CASCADE");
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
});
afterAll(() => database.close());

async function extract(content: string) {
  const window = { hash: content, text: content, turns: [], sessionId: null, projectPath: null, known: [] };
  const proposal = { type: "fact" as const, content, excerpt: content, relevance: 0.9, citations: [], replaces: null };
  const extracted = await transaction(database.db.pool, (client) => storeProposals(deps, client, window, [proposal]));
  return extracted.memories[0];
}

const waiting = async () => {
  const { items } = await createMemoryService(deps).list({ deleted: false, awaitsReview: true, limit: 10 });
  return items.map(({ id }) => id);
};

test("an extracted memory awaits review until it is kept, which can be undone, and is given meanwhile; what is stored does not", async () => {
  const memory = createMemoryService(deps);
  const { id } = await memory.store({ content: "Answers are in German", chunkType: "preference" });
  const extracted = await extract("The repo uses pnpm.");
  expect(extracted).toMatchObject({ awaitsReview: true });
  const ids = [extracted?.id ?? "", id];
  expect(await waiting()).toEqual([extracted?.id]);
  expect((await memory.context({ limit: 5 })).memories).toHaveLength(2);
  expect(await memory.review.review({ ids, isKept: true })).toEqual({ changedIds: [extracted?.id] });
  expect(await waiting()).toEqual([]);
  expect(await memory.review.review({ ids, isKept: false })).toEqual({ changedIds: [extracted?.id] });
  expect(await waiting()).toEqual([extracted?.id]);
});

test("an extracted memory awaits review until it is changed, or others are merged into it", async () => {
  const memory = createMemoryService(deps);
  const extracted = await extract("The repo uses pnpm.");
  await memory.update({ id: extracted?.id ?? "", relevanceScore: 0.5 });
  expect(await waiting()).toEqual([]);
  await memory.review.review({ ids: [extracted?.id ?? ""], isKept: false });
  const { id } = await memory.store({ content: "Packages are installed by pnpm", chunkType: "fact" });
  await memory.merge({ id: extracted?.id ?? "", ids: [id] });
  expect(await waiting()).toEqual([]);
});

test("an extracted memory awaits review for seven days, for as long as is set, never, or always", async () => {
  const { review } = createMemoryService(deps);
  const extracted = await extract("The repo uses pnpm.");
  const afterDays = (days: number) => keepReviewedByTime(database.db, new Date(Date.UTC(2026, 5, 1 + days, 12)));
  await afterDays(6);
  expect(await waiting()).toEqual([extracted?.id]);
  expect(await review.setSettings({ keepAfterDays: null })).toEqual({ keepAfterDays: null });
  await afterDays(3000);
  expect(await waiting()).toEqual([extracted?.id]);
  await review.setSettings({ keepAfterDays: 7 });
  await afterDays(7);
  expect(await waiting()).toEqual([]);
  await review.review({ ids: [extracted?.id ?? ""], isKept: false });
  await review.setSettings({ keepAfterDays: 0 });
  expect(await waiting()).toEqual([]);
  expect(await extract("Everything is in a monorepo")).toMatchObject({ awaitsReview: false });
  expect(await review.getSettings()).toEqual({ keepAfterDays: 0 });
});
