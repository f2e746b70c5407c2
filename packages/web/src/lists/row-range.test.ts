import fc from "fast-check";
import { expect, test } from "vitest";
import { offsetThatShows, rowOffsets, rowRange } from "./row-range.ts";

const heights = fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 200 });
const viewport = fc.record({ top: fc.integer({ min: 0, max: 20_000 }), height: fc.integer({ min: 0, max: 2_000 }) });

test("the range has every visible row, and no more than the overscan besides", () => {
  fc.assert(
    fc.property(heights, viewport, fc.nat(20), (rows, { top, height }, overscan) => {
      const offsets = rowOffsets(rows.length, (index) => rows[index] ?? 0);
      const total = offsets.at(-1) ?? 0;
      const shown = Math.max(0, Math.min(top, total - height));
      const visible = rows
        .map((_, index) => index)
        .filter((index) => (offsets[index] ?? 0) < shown + height && (offsets[index + 1] ?? 0) > shown);
      const { first, end } = rowRange(offsets, { top, height }, overscan);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(rows.length);
      fc.pre(visible.length > 0);
      expect(first).toBe(Math.max(0, (visible[0] ?? 0) - overscan));
      expect(end).toBeGreaterThanOrEqual(Math.min(rows.length, (visible.at(-1) ?? 0) + 1 + overscan));
      expect(end).toBeLessThanOrEqual(Math.min(rows.length, (visible.at(-1) ?? 0) + 2 + overscan));
    }),
  );
});

test("a row is scrolled to as little as shows it whole", () => {
  const offsets = rowOffsets(10, () => 40);
  const at = (top: number) => ({ top, height: 100 });
  expect(offsetThatShows(offsets, 3, at(100))).toBe(100);
  expect(offsetThatShows(offsets, 1, at(100))).toBe(40);
  expect(offsetThatShows(offsets, 2, at(100))).toBe(80);
  expect(offsetThatShows(offsets, 9, at(100))).toBe(300);
});
