import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findExpiredVersions } from "./version-retention.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const version = (ageMs: number, sizeBytes = 1) => ({
  id: String(ageMs),
  sizeBytes,
  createdAt: new Date(NOW.getTime() - ageMs),
});
const keptOf = (versions: ReturnType<typeof version>[]) => {
  const expired = new Set(findExpiredVersions(versions, NOW));
  return versions.filter((candidate) => !expired.has(candidate));
};

describe("findExpiredVersions", () => {
  it("keeps the newest twenty, however frequent and however old", () => {
    const recent = Array.from({ length: 20 }, (_, index) => version(index * 1_000));
    const ancient = Array.from({ length: 20 }, (_, index) => version(400 * DAY_MS + index));
    expect(keptOf(recent)).toHaveLength(20);
    expect(keptOf(ancient)).toHaveLength(20);
  });

  it("thins out an autosave every second to the newest twenty and one per ten minutes", () => {
    const everySecond = Array.from({ length: 3_600 }, (_, second) => version(second * 1_000));
    const kept = keptOf(everySecond);
    expect(kept.length).toBeGreaterThanOrEqual(25);
    expect(kept.length).toBeLessThanOrEqual(27);
  });

  it("keeps one per day for three months", () => {
    const daily = Array.from({ length: 200 }, (_, day) => version(day * DAY_MS));
    expect(keptOf(daily)).toHaveLength(91);
  });

  it("limits the total size, but always keeps the newest", () => {
    const gibibyte = 1024 ** 3;
    expect(keptOf([version(1, 3 * gibibyte), version(2, 1), version(3, gibibyte)])).toEqual([version(1, 3 * gibibyte)]);
  });

  it("never drops the newest, and never keeps more than a hundred", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200 * DAY_MS), { minLength: 1, maxLength: 400 }), (ages) => {
        const versions = ages.map((ageMs) => version(ageMs));
        const kept = keptOf(versions);
        expect(kept.length).toBeLessThanOrEqual(100);
        expect(kept.map(({ id }) => id)).toContain(String(Math.min(...ages)));
      }),
      { numRuns: 50 },
    );
  });
});
