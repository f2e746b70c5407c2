const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 20_000;

/** How many times a request is attempted before its failure is final. */
export const MAX_ATTEMPTS = 5;

/**
 * How long to wait before the next attempt: exponential backoff, at least as long as the endpoint asked for, with jitter from
 * `chance` (0 to 1), so that requests that failed together are not retried together.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | null, chance: number): number {
  const backoff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + chance / 2);
  return Math.min(Math.max(backoff, retryAfterMs ?? 0), MAX_DELAY_MS);
}
