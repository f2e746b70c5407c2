const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 20_000;

/** How often a request is made before its failure is final. */
export const MAX_ATTEMPTS = 5;

/**
 * How long to wait before the next attempt: twice as long each time, at least as long as the endpoint asked for, and spread
 * by `chance` (0 to 1), so that many that failed together do not come back together.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | null, chance: number): number {
  const backoff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + chance / 2);
  return Math.min(Math.max(backoff, retryAfterMs ?? 0), LONGEST_DELAY_MS);
}
