/** What one client may send: so much at once, and so much more every second. A small frame costs 1. */
export interface FrameRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A page sends a handful of frames a minute. Resuming a hundred conversations at once or pasting a book is fine, too. */
export const FRAME_RATE: FrameRate = { burst: 500, perSecond: 50 };

/** A frame costs 1, and 1 more for each so many bytes, since reading it takes as long as several small ones. */
const BYTES_PER_UNIT = 4096;

/** Counts one frame; false where it is one too many. */
export type FrameBudget = (bytes: number) => boolean;

/** The budget of one client, for frames of every kind. `now` is in milliseconds. */
export function createFrameBudget({ burst, perSecond }: FrameRate, now: () => number): FrameBudget {
  let left = burst;
  let countedAt = now();
  return (bytes) => {
    const at = now();
    left = Math.min(burst, left + ((at - countedAt) / 1000) * perSecond) - 1 - bytes / BYTES_PER_UNIT;
    countedAt = at;
    return left >= 0;
  };
}
