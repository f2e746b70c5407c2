import { setTimeout as sleep } from "node:timers/promises";

/**
 * Calls `attempt` repeatedly until its result is neither undefined nor false, and returns that result; undefined once `timeoutMs`
 * has passed. Errors of `attempt` are passed on.
 */
export async function poll<T>(
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs, intervalMs }: { timeoutMs: number; intervalMs: number },
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await attempt();
    if (result !== undefined && result !== false) return result;
    if (performance.now() >= deadline) return undefined;
    await sleep(intervalMs);
  }
}
