import { expect, it } from "vitest";
import { formatMoment } from "./moment-format.ts";

const now = new Date(2026, 10, 20, 15, 0, 0);

it.each([
  [new Date(2026, 10, 20, 9, 4, 7), "9:04:07"],
  [new Date(2026, 10, 19, 23, 59, 59), "Yesterday 23:59"],
  [new Date(2026, 10, 12, 9, 41), "12 Nov 9:41"],
  [new Date(2025, 10, 12, 0, 0), "12 Nov 2025 0:00"],
])("formats %s as %s", (instant, words) => {
  expect(formatMoment(instant.toISOString(), now)).toBe(words);
});
