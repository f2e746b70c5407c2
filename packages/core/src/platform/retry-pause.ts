const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses after the first failure, the second, and so on: about 28 hours in all. */
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  7 * HOUR,
  7 * HOUR,
];
/** Keeps receivers that failed at the same time from being called at the same time. */
const JITTER = 0.1;

/** How long to wait after this many failed attempts; null if there have been enough. `random` is between 0 and 1. */
export function pauseAfter(attempts: number, random: number): number | null {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? null : Math.round(pause * (1 + JITTER * random));
}
