import { expect, test } from "vitest";
import { validate, version } from "uuid";
import { uuidV7 } from "./ids.ts";

test("ids are UUIDs of version 7: unique, current and increasing", () => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, () => uuidV7());
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  const madeAt = Number.parseInt((ids[0] ?? "").replaceAll("-", "").slice(0, 12), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before);
  expect(madeAt).toBeLessThanOrEqual(Date.now());
});
