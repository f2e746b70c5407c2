import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { OverloadedError } from "./errors.ts";
import { createLargeReads } from "./large-reads.ts";

const MIB = 1024 * 1024;

test("reads large texts one at a time, in order, and small ones at once", async () => {
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

test("goes on after a read that failed", async () => {
  const reads = createLargeReads(() => true);
  const failing = reads.run(MIB, async () => Promise.reject(new Error("gone")));
  const following = reads.run(MIB, async () => "read");
  await expect(failing).rejects.toThrow("gone");
  expect(await following).toBe("read");
});

test("reads nothing where there is no room for the answer, not even after waiting for it", async () => {
  let hasRoom = true;
  const reads = createLargeReads(() => hasRoom);
  const first = reads.run(MIB, async () => {
    hasRoom = false;
  });
  const second = reads.run(MIB, async () => expect.unreachable());
  await first;
  await expect(second).rejects.toThrow(OverloadedError);
  await expect(reads.run(MIB, async () => expect.unreachable())).rejects.toMatchObject({ status: 503, retryAfterS: 5 });
});

test("lets only so much wait", async () => {
  const reads = createLargeReads(() => true);
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => reads.run(32 * MIB, async () => "read")));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(16);
});
