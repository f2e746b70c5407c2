const FIRST_MS = 500;
const MAX_MS = 30_000;

/**
 * How long to wait before the next attempt: twice as long each time, and by chance between half of that and all of it, so
 * that not every page comes back in the same moment. `attempt` counts from 0; `chance` is from 0 to 1.
 */
export function reconnectDelayMs(attempt: number, chance: number): number {
  const delayMs = Math.min(MAX_MS, FIRST_MS * 2 ** attempt);
  return delayMs * (0.5 + chance / 2);
}
