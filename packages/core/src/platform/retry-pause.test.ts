import { expect, test } from "vitest";
import { pauseAfter } from "./retry-pause.ts";

test("pauses grow, and end after more than a day", () => {
  const pauses: number[] = [];
  for (;;) {
    const pause = pauseAfter(pauses.length + 1, 0);
    if (pause === null) break;
    pauses.push(pause);
  }
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(24 * 60 * 60 * 1000);
  expect(pauseAfter(1, 1)).toBeGreaterThan(pauseAfter(1, 0) ?? 0);
});
