import { useCallback, useMemo } from "react";
import { useAddressPart } from "../../lists/use-address-part.ts";
import { parseHookSearch, toHookSearch, type HookSearch } from "./hook-search.ts";

export interface HookSearchState {
  readonly search: HookSearch;
  change(part: Partial<HookSearch>): void;
}

/** What the address says about which events to show and how. */
export function useHookSearch(): HookSearchState {
  const [part, changeAddress] = useAddressPart(keepHookSearch);
  const search = useMemo(() => parseHookSearch(part), [part]);
  const change = useCallback(
    (next: Partial<HookSearch>) => changeAddress(toHookSearch({ ...search, ...next })),
    [changeAddress, search],
  );
  return { search, change };
}

function keepHookSearch(search: Record<string, unknown>): Record<string, unknown> {
  return toHookSearch(parseHookSearch(search));
}
