import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createAttemptLimiter } from "./attempt-limiter.ts";

function setUp() {
  let nowMs = 1_000_000;
  const clock = { now: () => new Date(nowMs) };
  const tryAttempt = createAttemptLimiter({ max: 2, windowMs: 60_000 }, clock);
  return { tryAttempt, advance: (ms: number) => (nowMs += ms) };
}

test("refuses attempts beyond the limit and returns when the next is allowed", () => {
  const { tryAttempt, advance } = setUp();
  tryAttempt("a");
  advance(10_000);
  tryAttempt("a");
  expect(tryAttempt("a")).toEqual({ isAllowed: false, retryAfterS: 50 });
  expect(tryAttempt("b").isAllowed).toBe(true);
  advance(50_001);
  expect(tryAttempt("a").isAllowed).toBe(true);
  expect(tryAttempt("a").isAllowed).toBe(false);
});

test("does not count an attempt that was refunded", () => {
  const { tryAttempt } = setUp();
  for (let count = 0; count < 10; count += 1) {
    const attempt = tryAttempt("a");
    expect(attempt.isAllowed).toBe(true);
    if (attempt.isAllowed) attempt.refund();
  }
});

test("counts attempts that are still in progress", () => {
  const { tryAttempt } = setUp();
  const verdicts = Array.from({ length: 5 }, () => tryAttempt("a").isAllowed);
  expect(verdicts).toEqual([true, true, false, false, false]);
});

test("distinguishes long keys by all of their characters", () => {
  const { tryAttempt } = setUp();
  const long = "x".repeat(1000);
  for (let count = 0; count < 3; count += 1) tryAttempt(`${long}a`);
  expect(tryAttempt(`${long}a`).isAllowed).toBe(false);
  expect(tryAttempt(`${long}b`).isAllowed).toBe(true);
});

test("keeps neither long keys nor expired attempts in memory", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const heapMb = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const { tryAttempt, advance } = setUp();
  const before = heapMb();
  for (let index = 0; index < 2000; index += 1) tryAttempt(`${"x".repeat(100_000)}${index}`);
  expect(heapMb() - before).toBeLessThan(20);
  for (let index = 0; index < 90_000; index += 1) {
    tryAttempt(`key ${index}`);
    advance(1_000);
  }
  expect(heapMb() - before).toBeLessThan(5);
  expect(tryAttempt("one more").isAllowed).toBe(true);
});
