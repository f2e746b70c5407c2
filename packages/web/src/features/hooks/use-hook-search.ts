import { useCallback, useMemo } from "react";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { parseHookSearch, toHookSearch, type HookSearch } from "./hook-search.ts";

export interface HookSearchState {
  readonly search: HookSearch;
  change(params: Partial<HookSearch>): void;
}

/** Which events to show and how, from the URL. */
export function useHookSearch(): HookSearchState {
  const [params, setSearchParams] = useSearchParams(pickHookSearch);
  const search = useMemo(() => parseHookSearch(params), [params]);
  const change = useCallback(
    (next: Partial<HookSearch>) => setSearchParams(toHookSearch({ ...search, ...next })),
    [setSearchParams, search],
  );
  return { search, change };
}

function pickHookSearch(search: Record<string, unknown>): Record<string, unknown> {
  return toHookSearch(parseHookSearch(search));
}
