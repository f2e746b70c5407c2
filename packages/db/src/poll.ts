import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks again and again until the answer is neither undefined nor false, and returns it; undefined when `timeoutMs` has
 * passed. What `ask` throws is passed on.
 */
export async function poll<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs, intervalMs }: { timeoutMs: number; intervalMs: number },
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() >= deadline) return undefined;
    await sleep(intervalMs);
  }
}
