import { setTimeout as sleep } from "node:timers/promises";

/** Asks until the answer is neither undefined, null nor false, and returns it; throws when that takes too long. */
export async function eventually<Value>(
  ask: () => Promise<Value | undefined | null | false> | Value | undefined | null | false,
  timeoutMs = 10_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`This did not come true in ${timeoutMs} ms: ${ask.toString()}`);
    await sleep(15);
  }
}
