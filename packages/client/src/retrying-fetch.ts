export interface RetryOptions {
  /** How often a request is sent again; twice by default. */
  readonly retries?: number;
  /** Instead of the global one. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

const DEFAULT_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
/** Whoever is asked to wait for longer gets the response and can decide. */
const MAX_PAUSE_MS = 60_000;
/** By these, the server says that it has changed nothing and may do so later. */
const REFUSED_FOR_NOW: readonly number[] = [429, 503];
/** Without a response, these can be sent again in any case; a POST because of its key. */
const REPEATABLE: readonly string[] = ["GET", "HEAD", "POST"];

/**
 * Sends requests, and sends them again after a pause if they got no response, or one that refuses them for now. Each POST gets an
 * `Idempotency-Key`, unless it has one.
 */
export function createRetryingFetch({
  retries = DEFAULT_RETRIES,
  fetch = (request) => globalThis.fetch(request),
}: RetryOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", globalThis.crypto.randomUUID());
    }
    for (let sent = 0; ; sent += 1) {
      const isLast = sent >= retries;
      // A body can be sent once, so all but the last request are copies.
      const response = await fetch(isLast ? request : request.clone()).catch((error: unknown) => {
        if (isLast || request.signal.aborted || !REPEATABLE.includes(request.method)) throw error;
        return null;
      });
      const pauseMs = response === null ? FIRST_PAUSE_MS * 2 ** sent : pauseAfter(response, request.method, sent);
      if (response !== null && (isLast || pauseMs === null)) return response;
      await response?.body?.cancel();
      await pause(pauseMs ?? 0, request.signal);
    }
  };
}

/** How long to wait before a request is sent again; null if it is not. */
function pauseAfter({ status, headers }: Response, method: string, sent: number): number | null {
  // The first request, whose response was lost, may still be being carried out.
  const isMaybeRunning = status === 409 && method === "POST" && sent > 0;
  if (!REFUSED_FOR_NOW.includes(status) && !isMaybeRunning) return null;
  const seconds = Number(headers.get("Retry-After") ?? NaN);
  const pauseMs = Number.isNaN(seconds) ? FIRST_PAUSE_MS * 2 ** sent : seconds * 1000;
  return pauseMs > MAX_PAUSE_MS ? null : pauseMs;
}

/** Rejects with the signal's reason if that is aborted meanwhile. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error("The request was aborted."));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
