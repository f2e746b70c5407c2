import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { OverloadedError } from "./errors.ts";
import { createLargeReads } from "./large-reads.ts";

const MIB = 1024 * 1024;

test("reads large texts one at a time, in order, and small ones immediately", async () => {
  const reads = createLargeReads(() => true);
  const events: string[] = [];
  const read = (name: string) => async () => {
    events.push(`${name} begins`);
    await sleep(5);
    events.push(`${name} ends`);
  };
  const large = [reads.run(MIB, read("one")), reads.run(MIB, read("two"))];
  await reads.run(10, read("small"));
  await Promise.all(large);
  expect(events[0]).toBe("small begins");
  expect(events.filter((event) => !event.startsWith("small"))).toEqual([
    "one begins",
    "one ends",
    "two begins",
    "two ends",
  ]);
});

test("continues after a failed read", async () => {
  const reads = createLargeReads(() => true);
  const failing = reads.run(MIB, async () => Promise.reject(new Error("gone")));
  const following = reads.run(MIB, async () => "read");
  await expect(failing).rejects.toThrow("gone");
  expect(await following).toBe("read");
});

test("waits a while for room", async () => {
  let hasRoom = false;
  const reads = createLargeReads(() => hasRoom);
  const waiting = reads.run(MIB, async () => (hasRoom ? "with room" : "without"));
  await sleep(5);
  hasRoom = true;
  expect(await waiting).toBe("with room");
});

test("reads nothing if there is no room in time, and rejects all waiting reads together", async () => {
  const reads = createLargeReads(() => false, 300);
  const startedAt = performance.now();
  const waiting = Array.from({ length: 20 }, () => reads.run(MIB, async () => expect.unreachable()));
  for (const result of await Promise.allSettled(waiting)) {
    expect(result).toMatchObject({ reason: { status: 503, retryAfterS: 5 } });
    expect(result).toMatchObject({ reason: expect.any(OverloadedError) });
  }
  // One after the other, they would wait for six seconds.
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});

test("limits how much may be queued", async () => {
  const reads = createLargeReads(() => true);
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => reads.run(32 * MIB, async () => "read")));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(16);
});
