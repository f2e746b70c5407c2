import type { Deps } from "../../platform/deps.ts";
import { selectMemoryOutcomes } from "./memory-outcomes.queries.ts";
import { rankMemories, type RankedMemory } from "./memory-ranking.ts";
import { selectContextCandidates, selectMemoriesById } from "./memory.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";
import { projectScope } from "./project-path.ts";
import { PROMPT_WAIT_MS, type QueryEmbeddings } from "./query-embedding.ts";
import { selectRelevantMemories, type RelevantMemory } from "./relevant-memories.queries.ts";
import { originalIds, saysTheSame, type PossibleRepetition } from "./repetition.ts";
import { parseSearchQuery } from "../../platform/search/search-query.ts";
import { NO_OUTCOMES, usefulnessOf } from "./usefulness.ts";

/** Memories of a ring older than its newest so many have lost nearly all recency and are not weighed. */
const MAX_CANDIDATES = 2000;
/** Up to here a rank leaves out repetitions, as a context does; nobody reads that far. */
const EXACT_RANKS = 100;

interface ContextSize {
  /** The most memories. */
  readonly limit: number;
  /** What the session was given before. */
  readonly given: ReadonlySet<string>;
}

type RatedMatch = RelevantMemory & Pick<RankedMemory, "usefulness">;

export interface ContextSelectionDeps extends Deps<"db" | "clock"> {
  readonly embeddings: QueryEmbeddings;
}

/** Chooses what a session in a project is told. */
export function createContextSelection({ db, clock, embeddings }: ContextSelectionDeps) {
  /** A project by its names; of none, everything is weighed. */
  async function rank(names: readonly string[]): Promise<RankedMemory[]> {
    const scope = names.length === 0 ? null : projectScope(names);
    const candidates = await selectContextCandidates(db.pool, scope, MAX_CANDIDATES);
    return rankMemories(await withUsefulness(candidates), clock.now());
  }

  async function withUsefulness<Memory extends { readonly id: string }>(memories: readonly Memory[]) {
    const outcomes = await selectMemoryOutcomes(db.pool, idsOf(memories));
    return memories.map((memory) => ({ ...memory, usefulness: usefulnessOf(outcomes.get(memory.id) ?? NO_OUTCOMES) }));
  }

  /** The first `limit` of those ranked, without what says the same as one that is taken already or was given before. */
  async function takeFirst(
    ranked: readonly PossibleRepetition[],
    { limit, given }: ContextSize,
  ): Promise<MemoryChunk[]> {
    const originals = originalIds(ranked);
    const known =
      given.size === 0
        ? []
        : await selectMemoriesById(
            db.pool,
            idsOf(ranked).filter((id) => given.has(id)),
          );
    const taken: MemoryChunk[] = [];
    const left = ranked.filter(({ id }) => !given.has(id));
    // Each time more are read, as there may be many repetitions.
    for (let start = 0, size = 2 * limit; start < left.length && taken.length < limit; start += size, size *= 4) {
      for (const memory of await selectMemoriesById(db.pool, idsOf(left.slice(start, start + size)))) {
        const isRepeated = [...known, ...taken].some(
          (other) => originals.get(other.id) === originals.get(memory.id) && saysTheSame(other.content, memory.content),
        );
        if (!isRepeated && taken.length < limit) taken.push(memory);
      }
    }
    return taken;
  }

  return {
    /** What a session should know, best first. */
    async select(names: readonly string[], size: ContextSize): Promise<MemoryChunk[]> {
      return takeFirst(await rank(names), size);
    },

    /** What has something to do with a prompt, best first; nothing if nothing has. */
    async selectRelevant(names: readonly string[], prompt: string, size: ContextSize): Promise<MemoryChunk[]> {
      const query = parseSearchQuery(prompt);
      if (query === null) return [];
      const scope = names.length === 0 ? null : projectScope(names);
      const embedding = await embeddings.find(prompt, PROMPT_WAIT_MS);
      const found = await selectRelevantMemories(db.pool, { query, scope, embedding });
      // What is found beside memories that were all given before says nothing without them.
      if (!found.some(({ id, isRelevant }) => isRelevant && !size.given.has(id))) return [];
      const relevant = await withUsefulness(found);
      return takeFirst(relevant.toSorted(moreUsefulFirst), size);
    },

    /** The memory's place in that order, from 1; null where it has none, being out of scope or a repetition. */
    async rankOf(memoryId: string, names: readonly string[]): Promise<number | null> {
      const ranked = await rank(names);
      const place = ranked.findIndex((candidate) => candidate.id === memoryId);
      if (place === -1) return null;
      if (place >= EXACT_RANKS) return place + 1;
      const taken = await takeFirst(ranked.slice(0, place + 1), { limit: place + 1, given: new Set() });
      return taken.at(-1)?.id === memoryId ? taken.length : null;
    },
  };
}

/** Leaves those that are equally good in their order. */
function moreUsefulFirst(one: RatedMatch, other: RatedMatch): number {
  const rate = ({ score, usefulness }: RatedMatch) => Math.round(1000 * score * usefulness);
  return Number(other.hasPhrase) - Number(one.hasPhrase) || rate(other) - rate(one);
}

function idsOf(memories: readonly { readonly id: string }[]): string[] {
  return memories.map(({ id }) => id);
}
