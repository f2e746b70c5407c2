/** How often to compare directories alone, so that changes for which no event was received are found within a minute. */
const SWEEP_EVERY_MS = 45_000;
const FULL_EVERY_MS = 5 * 60_000;
/** While a directory cannot be watched, its changes are found only by comparing. */
const FULL_UNWATCHED_EVERY_MS = 10_000;

/**
 * Decides when to compare everything and when to compare directories alone. A full comparison is due at first, and then every
 * `listingEveryMs` where nobody reports changes.
 */
export function createPassSchedule(listingEveryMs: number | null) {
  let nextFullMs = performance.now();
  // Only of a folder are directories known by themselves.
  const sweepEveryMs = listingEveryMs === null ? SWEEP_EVERY_MS : Infinity;
  let nextSweepMs = nextFullMs + sweepEveryMs;

  const sweepDone = (): void => {
    nextSweepMs = performance.now() + sweepEveryMs;
  };

  return {
    isFullDue: (): boolean => performance.now() >= nextFullMs,

    isSweepDue: (): boolean => performance.now() >= nextSweepMs,

    sweepDone,

    /** A full comparison makes a sweep unnecessary for a while. */
    fullDone(hasUnwatched: boolean): void {
      sweepDone();
      const everyMs = hasUnwatched ? FULL_UNWATCHED_EVERY_MS : FULL_EVERY_MS;
      nextFullMs = performance.now() + (listingEveryMs ?? everyMs);
    },

    /** Sets the time of the next full comparison. */
    scheduleFull(inMs: number): void {
      nextFullMs = performance.now() + inMs;
    },

    /** Brings the next full comparison forward, if it is later than this. */
    expediteFull(inMs: number): void {
      nextFullMs = Math.min(nextFullMs, performance.now() + inMs);
    },

    untilNextMs: (): number => Math.max(Math.min(nextFullMs, nextSweepMs) - performance.now(), 0),
  };
}
