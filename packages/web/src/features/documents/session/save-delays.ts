const PAUSE_MS = 900;
const MAX_WAIT_MS = 10_000;
const RETRY_DELAYS_MS = [2_000, 5_000, 15_000, 30_000];

/** How long to wait before an edited text is saved, in milliseconds. */
export class SaveDelays {
  #unsavedSinceMs: number | null = null;
  #failures = 0;

  /** After an edit: until typing pauses, but not too long after the first edit that is not saved. */
  afterEdit(): number {
    this.#unsavedSinceMs ??= Date.now();
    const remainingMs = this.#unsavedSinceMs + MAX_WAIT_MS - Date.now();
    return Math.max(Math.min(PAUSE_MS, remainingMs), 0);
  }

  /** After a save that failed: longer each time, until one succeeds. */
  afterFailure(): number {
    const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? PAUSE_MS;
    this.#failures += 1;
    return delayMs;
  }

  /** Called when a save has succeeded. */
  reset(): void {
    this.#failures = 0;
    this.#unsavedSinceMs = null;
  }
}
