import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { createMemoryService, type MemoryService } from "../memory/memory.service.ts";
import { createHookEventService } from "./hook-event.service.ts";
import { createMemoryUseService } from "./memory-use.service.ts";

const START = "2026-06-01T12:00:00.000Z";
const PORT = "Staging listens on port 54330";

let database: TestDatabase;
let deps: TestDeps;
let memory: MemoryService;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks, hook_events CASCADE");
  deps = createTestDeps(database.db, START);
  memory = createMemoryService(deps);
});
afterAll(() => database.close());

const afterMinutes = (minutes: number) => new Date(Date.parse(START) + minutes * 60_000).toISOString();
const observe = async (minutes: number) => {
  deps.clock.set(afterMinutes(minutes));
  await createMemoryUseService(deps).observe();
};
async function give(sessionId = "s"): Promise<void> {
  const { memories } = await memory.context({ limit: 5 });
  const given = { reason: "session_start", tokens: 20, givenAt: deps.clock.now().toISOString() } as const;
  await memory.injections.record({ injections: [{ ...given, sessionId, memoryIds: memories.map(({ id }) => id) }] });
}
const injectionOf = async (id: string) => (await memory.injections.list({ id, limit: 1 })).items[0];

async function record(minutes: number, happened: { prompt: string } | { command: string }): Promise<void> {
  const isPrompt = "prompt" in happened;
  deps.clock.set(afterMinutes(minutes));
  await createHookEventService(deps).record({
    eventType: isPrompt ? "UserPromptSubmit" : "PreToolUse",
    sessionId: "s",
    eventData: isPrompt ? happened : { toolInput: happened },
  });
}

test("a memory that shows in what the assistant does afterwards counts as used", async () => {
  const { id } = await memory.store({ content: PORT, chunkType: "fact" });
  const other = await memory.store({ content: "Answers are in German", chunkType: "preference" });
  await give();
  await record(1, { prompt: "Connect to staging" });
  await record(2, { command: "psql -h staging -p 54330" });
  await observe(2.5);
  expect(await injectionOf(id)).toMatchObject({ usedAt: null, isUseVisible: false });
  await observe(4);
  expect(await injectionOf(id)).toMatchObject({ usedAt: afterMinutes(2), isUseVisible: true });
  expect(await injectionOf(other.id)).toMatchObject({ usedAt: null, isUseVisible: false });
});

test("what the user said, or the assistant did before, proves nothing", async () => {
  const asked = await memory.store({ content: PORT, chunkType: "fact" });
  const known = await memory.store({ content: "Migrations run by tools/migrate.sh", chunkType: "fact" });
  await record(1, { command: "cat tools/migrate.sh" });
  deps.clock.set(afterMinutes(2));
  await give();
  await record(3, { prompt: "Is anything on 54330?" });
  await record(4, { command: "lsof -i :54330; sh tools/migrate.sh" });
  await observe(6);
  expect(await injectionOf(asked.id)).toMatchObject({ usedAt: null, isUseVisible: true });
  expect(await injectionOf(known.id)).toMatchObject({ usedAt: null, isUseVisible: true });
});

test("the file for which a memory was given proves nothing, only what else it says", async () => {
  const { id } = await memory.store({ content: "src/limits.ts has MAX_CART_ITEMS", chunkType: "fact" });
  const given = { reason: "file", subject: "/app/src/limits.ts", tokens: 20, givenAt: START } as const;
  await memory.injections.record({ injections: [{ ...given, sessionId: "s", memoryIds: [id] }] });
  await record(1, { command: "edit /app/src/limits.ts" });
  await observe(3);
  expect(await injectionOf(id)).toMatchObject({ usedAt: null, isUseVisible: true });
  await record(4, { command: "grep MAX_CART_ITEMS" });
  await observe(6);
  expect(await injectionOf(id)).toMatchObject({ usedAt: afterMinutes(4) });
});

test("a session that goes on is read again, and what was used stays so", async () => {
  const { id } = await memory.store({ content: PORT, chunkType: "fact" });
  await give();
  await record(1, { command: "ls" });
  await observe(3);
  expect(await injectionOf(id)).toMatchObject({ usedAt: null, isUseVisible: true });
  await record(10, { command: "nc -z localhost 54330" });
  await observe(12);
  await record(20, { command: "ls" });
  await observe(22);
  expect(await injectionOf(id)).toMatchObject({ usedAt: afterMinutes(10) });
});

test("a word that many memories have proves nothing", async () => {
  const ids = [];
  for (const what of ["starts", "stops", "sleeps", "logs", "grows", "fails"]) {
    ids.push((await memory.store({ content: `The server ${what} by src/main.ts`, chunkType: "fact" })).id);
  }
  await give();
  await record(1, { command: "cat src/main.ts" });
  await observe(3);
  expect(await Promise.all(ids.map(injectionOf))).not.toContainEqual(expect.objectContaining({ isUseVisible: true }));
});

test("several processes find the same", async () => {
  const { id } = await memory.store({ content: PORT, chunkType: "fact" });
  await give();
  await record(1, { command: "nc -z localhost 54330" });
  await Promise.all([observe(3), observe(3), observe(3)]);
  expect(await injectionOf(id)).toMatchObject({ usedAt: afterMinutes(1) });
});
