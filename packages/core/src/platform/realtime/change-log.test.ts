import { createListener } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createTestRedactor } from "../../../testing/test-deps.ts";
import { systemClock } from "../clock.ts";
import { createEventBus, type Change } from "../events.ts";
import { silentLogger } from "../logger.ts";
import type { ChangeEvent } from "./change-event.queries.ts";
import { createChangeLog } from "./change-log.ts";

let database: TestDatabase;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await database.close();
});

const change = (resourceId: string): Change => ({
  resource: "task",
  action: "edit",
  resourceId,
  resourceName: resourceId,
});

async function startProcess() {
  const { db, poolConfig } = database;
  const listener = createListener(poolConfig, { log: silentLogger });
  const events = createEventBus((error) => {
    throw error;
  });
  const redactor = createTestRedactor("hunter2");
  const log = createChangeLog({ db, listener, events, clock: systemClock, redactor, logger: silentLogger });
  await log.start();
  const received: ChangeEvent[] = [];
  const gaps: number[] = [];
  log.subscribe({ onChanges: (changes) => received.push(...changes), onGap: (lastSeq) => gaps.push(lastSeq) });
  const close = async () => {
    await log.close();
    await listener.close();
  };
  closers.push(close);
  return { log, received, gaps, publish: (id: string) => events.publish(change(id)), close };
}

test("every process receives every change exactly once, in the same order", async () => {
  const processes = await Promise.all([startProcess(), startProcess(), startProcess()]);
  for (let round = 0; round < 40; round += 1) {
    for (const [index, { publish }] of processes.entries()) publish(`${index}-${round}`);
    if (round % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await eventually(() => processes.every(({ received }) => received.length === 120));
  const [first] = processes;
  for (const { received } of processes) expect(received).toEqual(first.received);
  const seqs = first.received.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(first.received.map(({ resourceId }) => resourceId)).size).toBe(120);
});

test("replays what a returning client missed, or returns null if the log no longer has it", async () => {
  const process = await startProcess();
  for (const id of ["a", "b", "c"]) process.publish(id);
  await eventually(() => process.received.length === 3);
  const [a] = process.received;
  const { log } = process;
  expect((await log.replay(a?.seq ?? 0))?.map(({ resourceId }) => resourceId)).toEqual(["b", "c"]);
  expect(await log.replay(log.lastSeq)).toEqual([]);
  expect(await log.replay(log.lastSeq + 1)).toBeNull();
  await database.db.pool.query("DELETE FROM change_events WHERE seq <= $1", [a?.seq]);
  expect(await log.replay((a?.seq ?? 0) - 1)).toBeNull();
});

test("names each changed resource once, and nothing if the log cannot know them all", async () => {
  const process = await startProcess();
  for (const id of ["a", "b", "a", "c"]) process.publish(id);
  await eventually(() => process.received.length === 4);
  const { log, received } = process;
  const since = (after?: string) => log.changedSince({ resources: ["task"], ...(after !== undefined && { after }) });
  const idsSince = async (after: string) =>
    (await since(after)).changed?.map(({ resourceId }) => resourceId).toSorted();
  const first = received[0]?.seq ?? 0;
  const { position, changed } = await since();
  expect([position, changed]).toEqual([`${first + 3}-${Date.parse(received[3]?.timestamp ?? "")}`, null]);
  expect(await idsSince(String(first))).toEqual(["a", "b", "c"]);
  expect(await idsSince(position)).toEqual([]);
  expect(await log.changedSince({ resources: ["project"], after: String(first) })).toEqual({ position, changed: [] });
  // Another log, which has come to the same number.
  expect((await since(`${first + 3}-1000`)).changed).toBeNull();
  expect((await since(String(first + 9))).changed).toBeNull();
  await log.markGap();
  expect((await since(position)).changed).toBeNull();
  await database.db.pool.query("DELETE FROM change_events WHERE seq <= $1", [first]);
  expect((await since(String(first))).changed).toBeNull();
});

test("changes published just before a process closes reach the others", async () => {
  const [dying, living] = [await startProcess(), await startProcess()];
  dying.publish("last words");
  await dying.close();
  await eventually(() => living.received.length === 1);
});

test("a flood of changes is reported as one gap", async () => {
  const process = await startProcess();
  for (let index = 0; index < 3000; index += 1) process.publish(String(index));
  await eventually(() => process.gaps.length > 0);
  await eventually(() => process.log.lastSeq >= 3000);
  process.publish("after");
  await eventually(() => process.received.at(-1)?.resourceId === "after");
});

test("a gap left by a process that died is reported to every subscriber", async () => {
  const process = await startProcess();
  process.publish("before");
  await eventually(() => process.received.length === 1);
  await process.log.markGap();
  await eventually(() => process.gaps.length === 1);
  process.publish("after");
  await eventually(() => process.received.length === 2);
  const [before, after] = process.received;
  expect(await process.log.replay(before?.seq ?? 0)).toBeNull();
  expect(await process.log.replay((after?.seq ?? 0) - 1)).toEqual([after]);
});

test("secret values are kept out of the log", async () => {
  const process = await startProcess();
  process.publish("my hunter2");
  await eventually(() => process.received.length === 1);
  expect(process.received[0]?.resourceName).toBe("my [secret]");
});
