import { TooManyRequestsError, type ApiKeyPrincipal, type Clock } from "@workspace/core";

const WINDOW_S = 60;
const WINDOW_MS = WINDOW_S * 1000;

interface Window {
  readonly startedAt: number;
  requests: number;
}

/** Counts requests of a key, by default one, and sends its limit with the response. Throws {@link TooManyRequestsError} above it. */
export type KeyLimit = (
  principal: Pick<ApiKeyPrincipal, "keyId">,
  res: { setHeader(name: string, value: string): unknown },
  requests?: number,
) => void;

/**
 * The limit of requests that each key can make in a minute, which begins with its first one; none for null. Each process counts for
 * itself. The headers are those of the IETF's draft on rate limits.
 */
export function createKeyLimit(requestsPerMinute: number | null, clock: Clock): KeyLimit {
  if (requestsPerMinute === null) return () => undefined;
  const windows = new Map<string, Window>();

  function windowOf(keyId: string, now: number): Window {
    const current = windows.get(keyId);
    if (current !== undefined && now < current.startedAt + WINDOW_MS) return current;
    const started = { startedAt: now, requests: 0 };
    // Oldest first, so that those of keys that are no longer used do not stay.
    windows.delete(keyId);
    for (const [other, { startedAt }] of windows) {
      if (now < startedAt + WINDOW_MS) break;
      windows.delete(other);
    }
    windows.set(keyId, started);
    return started;
  }

  return ({ keyId }, res, requests = 1) => {
    const now = clock.now().getTime();
    const window = windowOf(keyId, now);
    window.requests += requests;
    const left = Math.max(requestsPerMinute - window.requests, 0);
    const seconds = Math.ceil((window.startedAt + WINDOW_MS - now) / 1000);
    res.setHeader("RateLimit-Policy", `"key";q=${requestsPerMinute};w=${WINDOW_S}`);
    res.setHeader("RateLimit", `"key";r=${left};t=${seconds}`);
    if (window.requests <= requestsPerMinute) return;
    throw new TooManyRequestsError(
      `This API key can make ${requestsPerMinute} requests a minute. Try again in ${seconds} seconds.`,
      seconds,
    );
  };
}
