import { useCallback, useMemo } from "react";
import { useAddressPart } from "../../lists/use-address-part.ts";
import { parseAgentSearch, toAgentSearch, type AgentSearch } from "./agent-search.ts";

export interface AgentSearchState {
  readonly search: AgentSearch;
  change(part: Partial<AgentSearch>): void;
}

/** What the address says about what to show of an agent. */
export function useAgentSearch(): AgentSearchState {
  const [part, changeAddress] = useAddressPart(keepAgentSearch);
  const search = useMemo(() => parseAgentSearch(part), [part]);
  const change = useCallback(
    (next: Partial<AgentSearch>) => changeAddress(toAgentSearch({ ...search, ...next })),
    [changeAddress, search],
  );
  return { search, change };
}

function keepAgentSearch(search: Record<string, unknown>): Record<string, unknown> {
  return toAgentSearch(parseAgentSearch(search));
}
