import { useCallback, useDeferredValue, useMemo } from "react";
import { useFilterText } from "../../lists/use-filter-text.ts";
import { useMemories } from "./memory-collection.ts";
import { filterMemories, NO_MEMORY_FILTER } from "./memory-filter.ts";
import { useMemorySearch } from "./memory-search.ts";
import { toMemoryHit } from "./search-hits.ts";
import { useMemoryHits } from "./use-memory-hits.ts";

const HIT_LIMITS = { memories: 100, turns: 20 };

export type MemoryListing = ReturnType<typeof useMemoryListing>;

/** What matches the filter in the URL and the text that is being typed, and ways to change both. */
export function useMemoryListing() {
  const [filter, setFilter, isFilterSettled] = useMemorySearch();
  const onPause = useCallback((text: string) => setFilter({ ...filter, text }), [filter, setFilter]);
  const [text, setText] = useFilterText(filter.text, onPause);
  const deferredText = useDeferredValue(text);
  const shownFilter = useMemo(() => ({ ...filter, text: deferredText }), [filter, deferredText]);
  const { memories, ...state } = useMemories(deferredText);
  const search = useMemoryHits(memories, shownFilter, HIT_LIMITS);
  const isSearching = deferredText.trim() !== "";
  const rows = useMemo(
    () => (isSearching ? search.hits : filterMemories(memories, shownFilter).map(toMemoryHit)),
    [isSearching, search.hits, memories, shownFilter],
  );
  const clear = () => {
    setText("");
    setFilter(NO_MEMORY_FILTER);
  };
  return {
    filter,
    setFilter,
    text,
    setText,
    clear,
    /** All that are loaded, whether they match or not. */
    memories,
    state: { ...state, rows },
    /** The filter that the rows match. */
    shownFilter,
    /** Whether there is nothing more to come. */
    isSettled: state.isComplete && search.isSettled && isFilterSettled,
    searchError: isSearching ? search.error : null,
  };
}
