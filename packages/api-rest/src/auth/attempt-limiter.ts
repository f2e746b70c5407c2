import { createHash } from "node:crypto";
import type { Clock } from "@workspace/core";

/** A limit over a sliding window: at most `max` attempts of one key in `windowMs`. */
export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
}

/** Refused for `retryAfterS` more seconds, or allowed, with a function that takes the attempt back. */
export type AttemptVerdict =
  | { readonly isAllowed: false; readonly retryAfterS: number }
  | { readonly isAllowed: true; readonly refund: () => void };

export type AllowedAttempt = Extract<AttemptVerdict, { readonly isAllowed: true }>;

const MAX_KEYS = 100_000;
/** Longer keys are replaced by their hash: callers choose part of a key, which may be as long as a body. */
const MAX_KEY_LENGTH = 128;

/**
 * Counts attempts per key in this process. An attempt counts from its start, so that many concurrent ones cannot get through
 * before the first has failed; the caller refunds those that should not count.
 */
export function createAttemptLimiter(limit: AttemptLimit, clock: Clock) {
  const attempts = new Map<string, number[]>();

  return function tryAttempt(fullKey: string): AttemptVerdict {
    const key = fullKey.length > MAX_KEY_LENGTH ? createHash("sha256").update(fullKey).digest("hex") : fullKey;
    const now = clock.now().getTime();
    const recent = (attempts.get(key) ?? []).filter((at) => at > now - limit.windowMs);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= limit.max) {
      return { isAllowed: false, retryAfterS: Math.ceil((oldest + limit.windowMs - now) / 1000) };
    }
    recent.push(now);
    remember(key, recent, now);
    return { isAllowed: true, refund: () => forget(key, now) };
  };

  /** Also deletes expired keys, the oldest first, and any beyond the maximum. */
  function remember(key: string, times: number[], now: number): void {
    attempts.delete(key);
    attempts.set(key, times);
    for (const [other, otherTimes] of attempts) {
      const isExpired = (otherTimes.at(-1) ?? 0) <= now - limit.windowMs;
      if (!isExpired && attempts.size <= MAX_KEYS) return;
      attempts.delete(other);
    }
  }

  function forget(key: string, at: number): void {
    const times = attempts.get(key);
    const index = times?.indexOf(at) ?? -1;
    if (times === undefined || index === -1) return;
    times.splice(index, 1);
    if (times.length === 0) attempts.delete(key);
  }
}
