import { useCallback, useMemo } from "react";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { parseUsageSearch, toUsageSearch, type UsageSearch } from "./usage-search.ts";

export interface UsageSearchState {
  readonly search: UsageSearch;
  change(params: Partial<UsageSearch>): void;
}

/** Which usage to show, from the URL. Any change other than of the page number returns to the first page. */
export function useUsageSearch(): UsageSearchState {
  const [params, setSearchParams] = useSearchParams(pickUsageSearch);
  const search = useMemo(() => parseUsageSearch(params), [params]);
  const change = useCallback(
    (next: Partial<UsageSearch>) => setSearchParams(toUsageSearch({ ...search, page: 1, ...next })),
    [setSearchParams, search],
  );
  return { search, change };
}

function pickUsageSearch(search: Record<string, unknown>): Record<string, unknown> {
  return toUsageSearch(parseUsageSearch(search));
}
