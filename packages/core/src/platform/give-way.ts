/** Above this share of its time, the thread is busy with something else than the work that rests. */
const BUSY = 0.5;
const MAX_RESTS = 4;

export interface Rest {
  /** How long the work took after which others have their turn. */
  readonly tookMs: number;
  /** Waits; may end early. */
  readonly rest: (forMs: number) => Promise<void>;
  /** Whether somebody waits for the work, or it is to end. */
  readonly isOver: () => boolean;
  /** Starts to measure which share of its time the thread works; what it returns gives the share since then. */
  readonly startMeasuring?: () => () => number;
}

/**
 * Rests after a piece of background work, for as long as it took: so others have half of the time. While the thread is busy with
 * other work, such as requests, it rests again, so that they have up to four fifths of it.
 */
export async function giveWay({ tookMs, rest, isOver, startMeasuring = measureThread }: Rest): Promise<void> {
  for (let rests = 0; rests < MAX_RESTS && !isOver(); rests += 1) {
    const busyShare = startMeasuring();
    await rest(tookMs);
    if (busyShare() < BUSY) return;
  }
}

function measureThread(): () => number {
  const start = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(start).utilization;
}
