import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
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

it("gives memory back once the process is idle", async () => {
  const release = createMemoryRelease(() => 0.01);
  expect(await release()).toBe(true);
  expect(youngBytes()).toBeLessThanOrEqual(EIGHT_MEGABYTES);
  expect(await release()).toBe(false);
});

it("does not interrupt a process that works", async () => {
  expect(await createMemoryRelease(() => 0.5)()).toBe(false);
  expect(youngBytes()).toBeGreaterThan(EIGHT_MEGABYTES);
});

it("measures the processor time since it last looked", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1000);
  const used = vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 0, system: 0 });
  onTestFinished(() => void vi.restoreAllMocks());
  const release = createMemoryRelease();
  now.mockReturnValue(11_000);
  used.mockReturnValue({ user: 200_000, system: 100_000 });
  expect(await release()).toBe(false);
  now.mockReturnValue(21_000);
  used.mockReturnValue({ user: 50_000, system: 50_000 });
  expect(await release()).toBe(true);
});
