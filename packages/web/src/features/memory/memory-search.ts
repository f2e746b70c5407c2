import { useCallback, useMemo } from "react";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { parseMemoryFilter, toMemorySearch, type MemoryFilter } from "./memory-filter.ts";

/** The filter in the URL, and a function to change it. */
export function useMemorySearch(): [MemoryFilter, (filter: MemoryFilter) => void] {
  const [search, change] = useSearchParams(pickMemorySearch);
  const setFilter = useCallback((filter: MemoryFilter) => change(toMemorySearch(filter)), [change]);
  const filter = useMemo(() => parseMemoryFilter(search), [search]);
  return [filter, setFilter];
}

function pickMemorySearch(search: Record<string, unknown>): Record<string, unknown> {
  return toMemorySearch(parseMemoryFilter(search));
}
