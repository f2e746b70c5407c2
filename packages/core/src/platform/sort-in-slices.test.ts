import fc from "fast-check";
import { expect, test } from "vitest";
import { sortInSlices } from "./sort-in-slices.ts";

test("sorts a long list like toSorted: stable", async () => {
  const item = fc.record({ rank: fc.nat(50), name: fc.string({ maxLength: 2 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 30 }), fc.integer({ min: 0, max: 200 }), async (some, times) => {
      const items = Array.from({ length: times }, () => some).flat();
      const compare = (one: { rank: number }, other: { rank: number }): number => one.rank - other.rank;
      expect(await sortInSlices(items, compare)).toEqual(items.toSorted(compare));
    }),
    { numRuns: 50 },
  );
});
