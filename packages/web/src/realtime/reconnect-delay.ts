const FIRST_MS = 500;
const MAX_MS = 30_000;

/**
 * How long to wait before the next attempt: doubles each time, and is randomised between half and all of that, so that pages
 * do not all reconnect at the same moment. `attempt` counts from 0; `chance` is from 0 to 1.
 */
export function reconnectDelayMs(attempt: number, chance: number): number {
  const delayMs = Math.min(MAX_MS, FIRST_MS * 2 ** attempt);
  return delayMs * (0.5 + chance / 2);
}
