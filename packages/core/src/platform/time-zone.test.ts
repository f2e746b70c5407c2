import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { isTimeZone, zoneOffsetMs } from "./time-zone.ts";

const NAME = "America/Argentina/ComodRivadavia";

test("time zone names are case-insensitive", () => {
  for (const name of [NAME, NAME.toLowerCase(), NAME.toUpperCase()]) {
    expect(isTimeZone(name)).toBe(true);
    expect(zoneOffsetMs(name, Date.parse("2026-06-01T00:00:00Z"))).toBe(-3 * 3_600_000);
  }
  for (const name of ["Nowhere/City", "+01:00", ""]) expect(isTimeZone(name)).toBe(false);
});

test("thousands of spellings of one zone share a single cache entry", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const residentMb = () => {
    collectGarbage();
    return process.memoryUsage().rss / 2 ** 20;
  };
  const before = residentMb();
  for (let spelling = 0; spelling < 4000; spelling += 1) {
    const name = NAME.split("").map((letter, place) =>
      ((spelling >> (place % 12)) & 1) === 1 ? letter.toUpperCase() : letter,
    );
    isTimeZone(name.join(""));
  }
  expect(residentMb() - before).toBeLessThan(20);
});
