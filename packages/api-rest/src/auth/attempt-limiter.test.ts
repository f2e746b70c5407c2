import { expect, test } from "vitest";
import { createAttemptLimiter } from "./attempt-limiter.ts";

function setUp() {
  let nowMs = 1_000_000;
  const clock = { now: () => new Date(nowMs) };
  const tryAttempt = createAttemptLimiter({ max: 2, windowMs: 60_000 }, clock);
  return { tryAttempt, advance: (ms: number) => (nowMs += ms) };
}

test("refuses past the limit and says when the next one is due", () => {
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

test("does not count an attempt that was taken back", () => {
  const { tryAttempt } = setUp();
  for (let count = 0; count < 10; count += 1) {
    const attempt = tryAttempt("a");
    expect(attempt.isAllowed).toBe(true);
    if (attempt.isAllowed) attempt.refund();
  }
});

test("counts attempts that are still under way", () => {
  const { tryAttempt } = setUp();
  const verdicts = Array.from({ length: 5 }, () => tryAttempt("a").isAllowed);
  expect(verdicts).toEqual([true, true, false, false, false]);
});
