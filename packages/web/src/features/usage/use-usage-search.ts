import { useCallback, useMemo } from "react";
import { useAddressPart } from "../../lists/use-address-part.ts";
import { parseUsageSearch, toUsageSearch, type UsageSearch } from "./usage-search.ts";

export interface UsageSearchState {
  readonly search: UsageSearch;
  change(part: Partial<UsageSearch>): void;
}

/** What the address says about which usage to show. Anything but another page leads back to the first. */
export function useUsageSearch(): UsageSearchState {
  const [part, changeAddress] = useAddressPart(keepUsageSearch);
  const search = useMemo(() => parseUsageSearch(part), [part]);
  const change = useCallback(
    (next: Partial<UsageSearch>) => changeAddress(toUsageSearch({ ...search, page: 1, ...next })),
    [changeAddress, search],
  );
  return { search, change };
}

function keepUsageSearch(search: Record<string, unknown>): Record<string, unknown> {
  return toUsageSearch(parseUsageSearch(search));
}
