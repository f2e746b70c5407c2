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

/** Passes items on, and yields to the event loop every 10 ms of what is done with them. Iterating to the next must be quick. */
export async function* inTurns<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  let start = performance.now();
  for await (const item of items) {
    yield item;
    if (performance.now() - start < SLICE_MS) continue;
    await nextTurn();
    start = performance.now();
  }
}
