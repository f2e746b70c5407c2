import { expect, test } from "vitest";
import { instantInput } from "./instant.ts";

test.each([
  ["0001-01-01T00:00:00Z", true],
  ["9999-12-31T23:59:59.999Z", true],
  ["2026-01-31T08:30:00+14:00", true],
  ["0000-12-31T23:59:59Z", false],
  ["0001-01-01T00:00:00+14:00", false],
  ["9999-12-31T23:59:59-14:00", false],
  ["+275760-09-13T00:00:00Z", false],
  ["-000044-03-15T12:00:00Z", false],
  ["2026-01-31T08:30:00", false],
])("%s can be stored: %s", (text, isStorable) => {
  expect(instantInput.safeParse(text).success).toBe(isStorable);
});
