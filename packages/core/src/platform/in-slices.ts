import { setImmediate as nextTurn } from "node:timers/promises";

const SLICE_MS = 10;

/**
 * Uses items one after another and lets other work in between whenever 10 ms have passed, so that a long list does not
 * hold the thread. What is done with a single item, and finding the next one, must be quick by itself.
 */
export async function inSlices<T>(items: Iterable<T>, use: (item: T) => void): Promise<void> {
  let start = performance.now();
  for (const item of items) {
    use(item);
    if (performance.now() - start < SLICE_MS) continue;
    await nextTurn();
    start = performance.now();
  }
}
