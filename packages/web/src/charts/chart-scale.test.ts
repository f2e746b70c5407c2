import { describe, expect, it } from "vitest";
import { axisTicks, labelledIndices } from "./chart-scale.ts";

describe("axisTicks", () => {
  it.each([
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 5, 10]],
    [17, [0, 5, 10, 15, 20]],
    [4180, [0, 2000, 4000, 6000]],
  ])("for a highest value of %i are %j", (max, ticks) => {
    expect(axisTicks(max)).toEqual(ticks);
  });

  it("may be fractions where the values are", () => {
    expect(axisTicks(0.03, 0.0001)).toEqual([0, 0.01, 0.02, 0.03]);
    expect(axisTicks(0, 0.01)).toEqual([0, 0.01]);
  });

  it("reach the highest value in at most five steps", () => {
    for (let max = 1; max < 5000; max += 7) {
      const ticks = axisTicks(max);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  });
});

describe("labelledIndices", () => {
  it("includes every label if there is room", () => {
    expect(labelledIndices(3, 300, 50)).toEqual([0, 1, 2]);
  });

  it("omits labels evenly, but never the last", () => {
    expect(labelledIndices(30, 600, 60)).toEqual([2, 5, 8, 11, 14, 17, 20, 23, 26, 29]);
    expect(labelledIndices(30, 10, 60)).toEqual([29]);
    expect(labelledIndices(0, 600, 60)).toEqual([]);
  });
});
