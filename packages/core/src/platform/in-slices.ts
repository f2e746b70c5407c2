import { setImmediate as nextTurn } from "node:timers/promises";

const SLICE_MS = 10;

/**
 * Processes items one by one and yields to the event loop every 10 ms, so that a long list does not block it. Processing a
 * single item, and iterating to the next, must be quick.
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
