import { setImmediate as nextTurn } from "node:timers/promises";

/** Sorting this many names takes about a millisecond. */
const RUN_LENGTH = 1_000;

/** Like `toSorted`, but yields to the event loop while sorting a long list. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += RUN_LENGTH) {
    if (start > 0) await nextTurn();
    runs.push(items.slice(start, start + RUN_LENGTH).toSorted(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
      await nextTurn();
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Of equal items, the one from the first list comes first. */
function merge<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Item[] {
  const merged: Item[] = [];
  let taken = 0;
  for (const item of first) {
    for (let other = second[taken]; other !== undefined && compare(other, item) < 0; other = second[taken]) {
      merged.push(other);
      taken += 1;
    }
    merged.push(item);
  }
  return [...merged, ...second.slice(taken)];
}
