/** How many frames one client may send: in a burst, and per second afterwards. A small frame costs 1. */
export interface FrameRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A page sends a handful of frames a minute. Resuming a hundred conversations at once or pasting a book is also fine. */
export const FRAME_RATE: FrameRate = { burst: 500, perSecond: 50 };

/** A frame costs 1, plus 1 for each of this many bytes, since reading a large one takes as long as several small ones. */
const BYTES_PER_UNIT = 4096;

/** Counts one frame; false if it exceeds the budget. */
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
