import { expect, test } from "vitest";
import { reconnectDelayMs } from "./reconnect-delay.ts";

test("attempts are frequent at first, then less and less so, and spread out by chance", () => {
  expect([0, 1, 2, 3].map((attempt) => reconnectDelayMs(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000]);
  expect(reconnectDelayMs(0, 0)).toBe(250);
  expect(reconnectDelayMs(50, 1)).toBe(30_000);
});
