/** How often to compare directories alone, so that changes for which no event was received are found within a minute. */
const SWEEP_EVERY_MS = 45_000;
const FULL_EVERY_MS = 5 * 60_000;
/** While a directory cannot be watched, its changes are found only by comparing. */
const FULL_UNWATCHED_EVERY_MS = 10_000;

/** Decides when to compare everything and when to compare directories alone. A full comparison is due at first. */
export function createPassSchedule() {
  let nextFullMs = performance.now();
  let nextSweepMs = nextFullMs + SWEEP_EVERY_MS;

  const sweepDone = (): void => {
    nextSweepMs = performance.now() + SWEEP_EVERY_MS;
  };

  return {
    isFullDue: (): boolean => performance.now() >= nextFullMs,

    isSweepDue: (): boolean => performance.now() >= nextSweepMs,

    sweepDone,

    /** A full comparison makes a sweep unnecessary for a while. */
    fullDone(hasUnwatched: boolean): void {
      sweepDone();
      nextFullMs = performance.now() + (hasUnwatched ? FULL_UNWATCHED_EVERY_MS : FULL_EVERY_MS);
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
