import { expect, test } from "vitest";
import { creditsOfCost } from "./credits-of-cost.ts";

const CENT = 10_000_000n;

test.each([
  [0n, true, 0],
  [1n, true, 1],
  [CENT - 1n, true, 1],
  [CENT, true, 1],
  [CENT + 1n, true, 2],
  [123n * CENT, true, 123],
  [0n, false, 1],
  [5n * CENT, false, 5],
])("%d nano dollars (known: %s) are %d credits", (cost, isCostKnown, credits) => {
  expect(creditsOfCost({ cost, isCostKnown })).toBe(credits);
});
