import { useCallback, useMemo } from "react";
import { useAddressPart } from "../../lists/use-address-part.ts";
import { parseMemoryFilter, toMemorySearch, type MemoryFilter } from "./memory-filter.ts";

/** Which memories the address says to show, and how to change that. */
export function useMemorySearch(): [MemoryFilter, (filter: MemoryFilter) => void] {
  const [search, change] = useAddressPart(keepMemorySearch);
  const setFilter = useCallback((filter: MemoryFilter) => change(toMemorySearch(filter)), [change]);
  const filter = useMemo(() => parseMemoryFilter(search), [search]);
  return [filter, setFilter];
}

function keepMemorySearch(search: Record<string, unknown>): Record<string, unknown> {
  return toMemorySearch(parseMemoryFilter(search));
}
