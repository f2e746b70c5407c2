/** In so many steps is it measured how strong a hit is; within a step, time decides. */
export const STRENGTH_STEPS = 10;
/** What is less than a tenth as strong as the best hit is left out, for it shares only common words with the query. */
const LEAST_SHARE = 0.1;

/** How a hit compares with all others, of whatever kind. */
export interface SearchRank {
  /** 4: exactly this title; 3: begins with the query; 2: all words in the title; 1: the words next to each other; 0: some words. */
  readonly tier: number;
  /** From 0 to 1, the share of the words that it has by their rarity: half for having them at all, half for the title. */
  readonly strength: number;
  readonly occurredAt: string;
}

/** The best hits first, without those that hardly match, and with each of what `keyOf` identifies only once. */
export function inOrder<Hit extends SearchRank>(hits: readonly Hit[], keyOf: (hit: Hit) => string): Hit[] {
  const strongest = Math.max(0, ...hits.map(({ strength }) => strength));
  const byKey = new Map<string, Hit>();
  for (const hit of hits.toSorted(compareRanks)) {
    const isWeak = hit.tier === 0 && hit.strength < strongest * LEAST_SHARE;
    if (!isWeak && !byKey.has(keyOf(hit))) byKey.set(keyOf(hit), hit);
  }
  return [...byKey.values()];
}

function compareRanks(one: SearchRank, other: SearchRank): number {
  return (
    other.tier - one.tier ||
    Math.round(other.strength * STRENGTH_STEPS) - Math.round(one.strength * STRENGTH_STEPS) ||
    other.occurredAt.localeCompare(one.occurredAt)
  );
}
