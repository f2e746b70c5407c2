import { setTimeout as sleep } from "node:timers/promises";

/** Polls until the result is neither undefined, null nor false, and returns it. Throws if that takes too long. */
export async function eventually<Value>(
  poll: () => Promise<Value | undefined | null | false> | Value | undefined | null | false,
  timeoutMs = 10_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await poll();
    if (result !== undefined && result !== null && result !== false) return result;
    if (performance.now() > deadline) throw new Error(`Not fulfilled within ${timeoutMs} ms: ${poll.toString()}`);
    await sleep(15);
  }
}
