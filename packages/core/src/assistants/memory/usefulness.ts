/** What became of a memory in the sessions that it was given to. */
export interface MemoryOutcomes {
  readonly used: number;
  /** Sessions that did not use it although their use would have been noticed. */
  readonly unused: number;
  /** Sessions of which a person said that it was not useful. */
  readonly notUseful: number;
}

export const NO_OUTCOMES: MemoryOutcomes = { used: 0, unused: 0, notUseful: 0 };

/** How far a memory can sink. Most of what ranks a memory is still what it says, not what became of it. */
const LEAST = 0.4;
/** As much doubt as so many sessions without use halves the score of a memory that was never used. */
const PATIENCE = 20;
/** What a person says counts as much as so many sessions. */
const NOT_USEFUL_WEIGHT = 10;
/** A memory that is used in every fourth session keeps more than half of its score. */
const USED_WEIGHT = 4;

/** By how much what became of a memory lowers its score: from 0.4 to 1, which is also that of a memory without outcomes. */
export function usefulnessOf({ used, unused, notUseful }: MemoryOutcomes): number {
  const trust = PATIENCE + USED_WEIGHT * used;
  return Math.max(LEAST, trust / (trust + unused + NOT_USEFUL_WEIGHT * notUseful));
}
