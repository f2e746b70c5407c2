import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Collection } from "../../api/collection.ts";
import { onForget } from "../../api/forget.ts";
import { trpcClient } from "../../api/trpc.ts";
import { useCollection } from "../../api/use-collection.ts";
import { isSameAgent, type Agent } from "./agent.ts";

const REFRESH_INTERVAL_MS = 15_000;
const RUNNING_INTERVAL_MS = 2_000;

/** Every agent. */
export const agentCollection = new Collection<Agent>(isSameAgent);
onForget(() => agentCollection.clear());

export const agentsQuery = queryOptions({
  queryKey: ["agents", "all"],
  queryFn: async ({ signal }) => {
    const ticket = agentCollection.startRead();
    const { data } = await trpcClient.agents.list.query({}, { signal });
    const seen = new Set(data.map((agent) => agent.id));
    agentCollection.merge(data, ticket);
    agentCollection.prune((agent) => !seen.has(agent.id), ticket);
    return { count: data.length };
  },
  // Schedules begin and end runs without anybody here doing anything.
  refetchInterval: () => (isAnyRunning() ? RUNNING_INTERVAL_MS : REFRESH_INTERVAL_MS),
  staleTime: 0,
});

export interface AgentsState {
  /** By name. */
  readonly agents: readonly Agent[];
  readonly isLoading: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

export function useAgents(): AgentsState {
  const { isPending, error, refetch } = useQuery(agentsQuery);
  const rows = useCollection(agentCollection);
  const agents = useMemo(
    () => [...rows.values()].toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)),
    [rows],
  );
  const isEmpty = rows.size === 0;
  return { agents, isLoading: isPending && isEmpty, error: isEmpty ? error : null, retry: () => void refetch() };
}

function isAnyRunning(): boolean {
  return [...agentCollection.getSnapshot().values()].some((agent) => agent.lastStatus === "running");
}
