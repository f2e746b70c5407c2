import { expect, test } from "vitest";
import { createFrameBudget } from "./frame-budget.ts";

function setUp() {
  let nowMs = 0;
  const countFrame = createFrameBudget({ burst: 10, perSecond: 2 }, () => nowMs);
  const countFrames = (count: number, bytes = 0) => Array.from({ length: count }, () => countFrame(bytes));
  return { countFrames, advance: (ms: number) => (nowMs += ms) };
}

test("allows a burst, and then the rate per second", () => {
  const { countFrames, advance } = setUp();
  expect(countFrames(10)).not.toContain(false);
  advance(500);
  expect(countFrames(2)).toEqual([true, false]);
});

test("accumulates no more than a burst", () => {
  const { countFrames, advance } = setUp();
  advance(3_600_000);
  expect(countFrames(11).indexOf(false)).toBe(10);
});

test("counts a large frame as several", () => {
  const { countFrames } = setUp();
  expect(countFrames(3, 4 * 4096)).toEqual([true, true, false]);
});
