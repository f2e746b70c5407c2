import { beforeEach, expect, it, vi } from "vitest";
import { createMemoryRelease, youngBytes } from "./idle-memory.ts";

const EIGHT_MEGABYTES = 8 * 1024 * 1024;

/** Lets V8 enlarge the young generation, as the objects of many requests in flight do. */
beforeEach(() => {
  const kept: object[] = [];
  while (youngBytes() <= EIGHT_MEGABYTES) {
    kept.push({ text: [kept.length] });
    if (kept.length > 100_000) kept.length = 0;
  }
});

it("gives memory back once the thread is idle", async () => {
  const release = createMemoryRelease(() => 0.01);
  expect(await release()).toBe(true);
  expect(youngBytes()).toBeLessThanOrEqual(EIGHT_MEGABYTES);
  expect(await release()).toBe(false);
});

it("does not interrupt a thread that works", async () => {
  expect(await createMemoryRelease(() => 0.5)()).toBe(false);
  expect(youngBytes()).toBeGreaterThan(EIGHT_MEGABYTES);
});

it("measures how much the thread has worked since the last look", async () => {
  const release = createMemoryRelease();
  const end = performance.now() + 50;
  while (performance.now() < end);
  expect(await release()).toBe(false);
  await vi.waitFor(async () => expect(await release()).toBe(true), { interval: 200, timeout: 20_000 });
});
