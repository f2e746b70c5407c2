import type { ChunkType } from "./memory.schema.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** After how many days a memory's recency has halved. What was decided or preferred stays true for longer than a summary. */
const HALF_LIFE_DAYS: Record<ChunkType, number> = {
  decision: 180,
  fact: 90,
  solution: 60,
  pattern: 180,
  preference: 365,
  summary: 14,
};

/** How much of a memory's score age can take away at most. What is old is still known. */
const RECENCY_SHARE = 0.75;
/** How much being looked up can add at most, and how often that takes. */
const USE_BONUS = 0.25;
const FULL_USE_COUNT = 15;

/** What ranking looks at. */
export interface RankedMemory {
  readonly id: string;
  readonly chunkType: ChunkType;
  readonly relevanceScore: number;
  readonly accessCount: number;
  readonly createdAt: string;
  readonly nearDuplicateOfId: string | null;
  /** What became of it in the sessions that it was given to, from 0.4 to 1. */
  readonly usefulness: number;
  /** 0 for the project's own and those of the folders in it, 1 for those of the folders above it, 2 for those of none. */
  readonly distance: number;
}

/** A memory's score and what it is made of, each from 0 to 1 but for the days. */
export interface MemoryScore {
  readonly score: number;
  readonly relevance: number;
  readonly recency: number;
  readonly ageDays: number;
  readonly halfLifeDays: number;
  readonly use: number;
  readonly usefulness: number;
}

export function scoreMemory(
  memory: Omit<RankedMemory, "id" | "nearDuplicateOfId" | "distance">,
  now: Date,
): MemoryScore {
  const ageDays = Math.max(0, now.getTime() - Date.parse(memory.createdAt)) / DAY_MS;
  const halfLifeDays = HALF_LIFE_DAYS[memory.chunkType];
  const recency = 2 ** (-ageDays / halfLifeDays);
  // Each further look-up says less than the one before.
  const use = Math.min(1, Math.log1p(memory.accessCount) / Math.log1p(FULL_USE_COUNT));
  const relevance = memory.relevanceScore;
  const { usefulness } = memory;
  const score = relevance * (1 - RECENCY_SHARE + RECENCY_SHARE * recency) * (1 + USE_BONUS * use) * usefulness;
  return { score, relevance, recency, ageDays, halfLifeDays, use, usefulness };
}

/** The nearest to the project first; of these the best, and of equals the newer. */
export function rankMemories<Memory extends RankedMemory>(memories: readonly Memory[], now: Date): Memory[] {
  return memories
    .map((memory) => ({ memory, score: scoreMemory(memory, now).score }))
    .toSorted(
      (one, other) =>
        one.memory.distance - other.memory.distance || other.score - one.score || compareAge(one.memory, other.memory),
    )
    .map(({ memory }) => memory);
}

function compareAge(one: RankedMemory, other: RankedMemory): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}
