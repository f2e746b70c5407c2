import { useCallback, useMemo } from "react";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { parseAgentSearch, toAgentSearch, type AgentSearch } from "./agent-search.ts";

export interface AgentSearchState {
  readonly search: AgentSearch;
  change(params: Partial<AgentSearch>): void;
}

/** The state of an agent's page, from the URL. */
export function useAgentSearch(): AgentSearchState {
  const [params, setSearchParams] = useSearchParams(pickAgentSearch);
  const search = useMemo(() => parseAgentSearch(params), [params]);
  const change = useCallback(
    (next: Partial<AgentSearch>) => setSearchParams(toAgentSearch({ ...search, ...next })),
    [setSearchParams, search],
  );
  return { search, change };
}

function pickAgentSearch(search: Record<string, unknown>): Record<string, unknown> {
  return toAgentSearch(parseAgentSearch(search));
}
