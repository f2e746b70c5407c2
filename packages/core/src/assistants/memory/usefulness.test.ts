import { expect, test } from "vitest";
import { NO_OUTCOMES, usefulnessOf } from "./usefulness.ts";

const usefulness = (outcomes: Partial<typeof NO_OUTCOMES>) => usefulnessOf({ ...NO_OUTCOMES, ...outcomes });

test("what was never given, or always used, loses nothing", () => {
  expect(usefulness({})).toBe(1);
  expect(usefulness({ used: 30 })).toBe(1);
});

test("what is often given and never used sinks, but not below 0.4", () => {
  expect(usefulness({ unused: 1 })).toBeGreaterThan(0.9);
  expect(usefulness({ unused: 20 })).toBe(0.5);
  expect(usefulness({ unused: 1_000_000, notUseful: 1_000_000 })).toBe(0.4);
});

test("use makes up for sessions without use", () => {
  expect(usefulness({ unused: 20, used: 5 })).toBeGreaterThan(usefulness({ unused: 20 }));
});

test("what a person says weighs more than a session without use", () => {
  expect(usefulness({ notUseful: 1 })).toBeLessThan(usefulness({ unused: 5 }));
});
