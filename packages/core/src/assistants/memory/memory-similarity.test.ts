import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import type { StoreMemory } from "./memory.schema.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";
import { createMemoryIndexBackfill } from "./memory-index-backfill.ts";
import { similarityKeys } from "./similarity-keys.ts";

let database: TestDatabase;
let deps: TestDeps;
let service: MemoryService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks CASCADE");
  deps = createTestDeps(database.db, "2026-06-01T12:00:00.000Z");
  service = createMemoryService(deps);
});
afterAll(() => database.close());

const store = (content: string, given: Partial<StoreMemory> = {}) =>
  service.store({ content, chunkType: "fact", ...given });
const runBackfill = async () => {
  const backfill = createMemoryIndexBackfill(deps);
  await backfill.start();
  await backfill.idle();
};
const keylessCount = async () => {
  const { rows } = await database.db.pool.query<{ count: number }>(
    "SELECT count(*) FROM memory_chunks m WHERE NOT EXISTS (SELECT FROM memory_similarity_keys WHERE memory_id = m.id)",
  );
  return rows[0]?.count;
};

/** Words of a person's notes, the same each time. */
function notes(words: number, seed: number): string {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  // Of a few thousand words, the frequent ones far more often.
  const word = () => (next(2) === 0 ? `w${next(40)}` : `word${next(3000).toString(36)}`);
  return Array.from({ length: words }, (_, index) => (index % 12 === 11 ? `${word()}.` : word())).join(" ");
}
const replaceEach = (text: string, nth: number) =>
  text
    .split(" ")
    .map((word, index) => (index % nth === nth - 1 ? `other${index}` : word))
    .join(" ");

const FACT = "The nightly backup of the database is kept for thirty days in the bucket in Frankfurt";

describe("a memory is flagged as a repetition", () => {
  test.each([
    ["in another order", FACT, "In the bucket in Frankfurt the nightly backup of the database is kept for thirty days"],
    ["in other letters and signs", FACT, `${FACT.toUpperCase()}!`],
    ["with a word replaced", FACT, FACT.replace("kept", "stored")],
    ["with a figure changed", "Requests time out after 30 seconds", "Requests time out after 45 seconds"],
    ["with a negation", "Deploys may run on Fridays and weekends", "Deploys may not run on Fridays and weekends"],
    ["of 3,000 characters with a tenth of the words replaced", notes(450, 1), replaceEach(notes(450, 1), 10)],
    ["of 3,000 characters in another order", notes(450, 2), notes(450, 2).split(". ").toReversed().join(". ")],
    ["that grew from a short text to a long one", notes(50, 3), `${notes(50, 3)} ${notes(20, 4)}`],
    ["in a script without spaces", "データベースは毎晩バックアップされる", "データベースは毎晩必ずバックアップされる"],
    ["that has no words", "!!!", "!!!"],
  ])("%s", async (_what, one, other) => {
    const first = await store(one, { projectPath: "/p" });
    expect((await store(other, { projectPath: "/p" })).nearDuplicateOfId).toBe(first.id);
  });

  test("of a general memory, but not of one of another project or of a deleted one", async () => {
    const general = await store(FACT);
    expect((await store(FACT.replace("kept", "stored"), { projectPath: "/p" })).nearDuplicateOfId).toBe(general.id);
    await service.delete(general.id);
    expect((await store(FACT.replace("kept", "held"), { projectPath: "/r" })).nearDuplicateOfId).toBeNull();
    await service.restore([general.id]);
    expect((await store(FACT.replace("kept", "left"), { projectPath: "/s" })).nearDuplicateOfId).toBe(general.id);
  });

  test("of what a memory says since it was changed or merged, in the project where it is now", async () => {
    const memory = await store("Something else altogether", { projectPath: "/p" });
    await service.update({ id: memory.id, content: FACT, projectPath: "/q" });
    const similar = FACT.replace("kept", "stored");
    expect((await store(similar, { projectPath: "/p" })).nearDuplicateOfId).toBeNull();
    expect((await store(similar, { projectPath: "/q" })).nearDuplicateOfId).toBe(memory.id);
    const [kept, gone] = [await store("One thing", { projectPath: "/m" }), await store("Two", { projectPath: "/m" })];
    await service.merge({ id: kept.id, ids: [gone.id], content: FACT });
    expect((await store(similar, { projectPath: "/m" })).nearDuplicateOfId).toBe(kept.id);
  });
});

test("long texts in the same words are no repetitions", async () => {
  for (let seed = 10; seed < 40; seed += 1) {
    expect((await store(notes(450, seed))).nearDuplicateOfId).toBeNull();
  }
});

test("among thousands that look alike, what says the same is found, and the work is bounded", async () => {
  await database.db.pool.query(
    `INSERT INTO memory_chunks (id, chunk_type, content, content_key, created_at, search_text)
     SELECT gen_random_uuid(), 'fact', 'Run ' || n || ': all checks of the nightly build have passed', n, now(),
            'run ' || n || ': all checks of the nightly build have passed' FROM generate_series(1, 3000) AS n`,
  );
  const keys = similarityKeys("Run 1: all checks of the nightly build have passed", null);
  await database.db.pool.query(
    "INSERT INTO memory_similarity_keys (key, memory_id) SELECT key, id FROM memory_chunks, unnest($1::int[]) AS key",
    [keys],
  );
  const first = await store("Run 9000: all checks of the nightly build have passed");
  expect(first.nearDuplicateOfId).not.toBeNull();
  expect((await store("run 9000: all checks of the nightly build have passed.")).nearDuplicateOfId).toBe(first.id);
});

describe("memories stored before there were keys", () => {
  const storeWithoutKeys = async (count: number) => {
    for (let index = 0; index < count; index += 1) await store(`${FACT} ${index} ${notes(5, index)}`);
    await database.db.pool.query("TRUNCATE memory_similarity_keys");
  };

  test("are found where they say the same, before their keys are added", async () => {
    await storeWithoutKeys(1);
    const again = (await service.list({ deleted: false, limit: 1 })).items[0];
    expect((await store(again?.content.toUpperCase() ?? "")).nearDuplicateOfId).toBe(again?.id);
  });

  test("get them in the background, once, with several processes at it", async () => {
    await storeWithoutKeys(35);
    expect(await keylessCount()).toBe(35);
    await Promise.all([runBackfill(), runBackfill()]);
    expect(await keylessCount()).toBe(0);
    const { rows } = await database.db.pool.query("SELECT key, memory_id FROM memory_similarity_keys");
    await runBackfill();
    expect((await database.db.pool.query("SELECT FROM memory_similarity_keys")).rowCount).toBe(rows.length);
    expect((await store(`${FACT} 7 ${notes(5, 7)} indeed`)).nearDuplicateOfId).not.toBeNull();
  });

  test("get the rest at the next start where the first was ended", async () => {
    await storeWithoutKeys(35);
    const ended = createMemoryIndexBackfill(deps);
    await ended.start();
    await ended.close();
    const left = await keylessCount();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(35);
    await runBackfill();
    expect(await keylessCount()).toBe(0);
  });
});
