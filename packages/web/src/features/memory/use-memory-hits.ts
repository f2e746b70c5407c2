import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useClient } from "../../client/use-client.ts";
import { useDebounced } from "../palette/use-debounced.ts";
import { memoryCollection } from "./memory-collection.ts";
import { filterMemories, matchesChoices, NO_PROJECT_PATH, type MemoryFilter } from "./memory-filter.ts";
import type { Memory } from "./memory.ts";
import { includesTurns, mergeHits, onlyProjectOf, type SearchHit } from "./search-hits.ts";

const DELAY_MS = 120;

interface HitLimits {
  readonly memories: number;
  readonly turns: number;
}

export interface MemoryHits {
  readonly hits: readonly SearchHit[];
  /** Whether they are what the server finds for this very text. */
  readonly isSettled: boolean;
  readonly error: unknown;
}

/**
 * What the search finds for the filter's text, best match first, as far as the filter's other parts allow. Loaded memories that
 * have all of its words are shown immediately, and follow what the server ranks.
 */
export function useMemoryHits(
  memories: ReadonlyMap<string, Memory>,
  filter: MemoryFilter,
  limits: HitLimits,
): MemoryHits {
  const query = filter.text.trim();
  const searched = useDebounced(query, DELAY_MS);
  const ranked = useRankedMemories(searched, filter, limits.memories);
  const turns = useRankedTurns(searched, filter, limits.turns);
  const isLoaded = ranked.isSettled && turns.isSettled && searched === query;
  const hits = useMemo(() => {
    if (query === "") return [];
    const found = ranked.ids.map((id) => memories.get(id)).filter((memory) => memory !== undefined);
    return mergeHits({
      ranked: found.filter((memory) => matchesChoices(memory, filter, memories)),
      turns: turns.found,
      others: filterMemories(memories, filter),
    });
  }, [query, ranked.ids, turns.found, memories, filter]);
  return { hits, isSettled: query === "" || isLoaded, error: ranked.error ?? turns.error };
}

const NOTHING: readonly never[] = [];

function useRankedMemories(query: string, filter: MemoryFilter, limit: number) {
  const client = useClient();
  const { types, minRelevance, isAwaitingReview } = filter;
  const projectPath = onlyProjectOf(filter);
  const [chunkType, ...otherTypes] = types;
  const input = {
    query,
    limit,
    isUse: false,
    ...(projectPath !== undefined && { projectPath }),
    ...(chunkType !== undefined && otherTypes.length === 0 && { chunkType }),
    ...(minRelevance > 0 && { minRelevance }),
    ...(isAwaitingReview && { awaitsReview: true }),
  };
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["memory", "search", input],
    queryFn: async ({ signal }) => {
      const ticket = memoryCollection(client).startRead();
      const { data: found } = await client.api.memory.search.query(input, { signal });
      memoryCollection(client).merge(found, ticket);
      return found.map(({ id }) => id);
    },
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });
  return { ids: data ?? NOTHING, error, isSettled: error !== null || (data !== undefined && !isPlaceholderData) };
}

function useRankedTurns(query: string, filter: MemoryFilter, limit: number) {
  const client = useClient();
  const projectPath = onlyProjectOf(filter);
  const isEnabled = query !== "" && includesTurns(filter);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["session-turns", "search", query, projectPath, limit],
    queryFn: async ({ signal }) => {
      const input = { query, limit, ...(projectPath !== undefined && { projectPath }) };
      return (await client.api.session.search.query(input, { signal })).data;
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  const { projects } = filter;
  const found = useMemo(() => {
    if (!isEnabled || data === undefined) return NOTHING;
    // The server knows a project by its other names too.
    const isAny = projects.length === 0 || projectPath !== undefined;
    return isAny ? data : data.filter((turn) => projects.includes(turn.projectPath ?? NO_PROJECT_PATH));
  }, [isEnabled, data, projects, projectPath]);
  return { found, error, isSettled: !isEnabled || error !== null || (data !== undefined && !isPlaceholderData) };
}
