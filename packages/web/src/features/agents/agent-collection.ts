import { collectionQuery, useRows, type RowsState } from "../../api/collection-query.ts";
import type { Client } from "../../client/client.ts";
import { collectionPart } from "../../client/collection-part.ts";
import { useClient } from "../../client/use-client.ts";
import { isSameAgent, type Agent } from "./agent.ts";

const REFRESH_INTERVAL_MS = 15_000;
const RUNNING_INTERVAL_MS = 2_000;

/** All agents. */
export const agentCollection = collectionPart<Agent>(isSameAgent);

export function agentsQuery(client: Client) {
  return {
    ...collectionQuery(agentCollection(client), {
      queryKey: ["agents", "all"],
      read: async function* (signal) {
        yield (await client.api.agents.list.query({}, { signal })).data;
      },
    }),
    // Schedules start and end runs without any action here.
    refetchInterval: () => (isAnyRunning(client) ? RUNNING_INTERVAL_MS : REFRESH_INTERVAL_MS),
    staleTime: 0,
  };
}

/** All agents, sorted by name. */
export function useAgents(): RowsState<Agent> {
  const client = useClient();
  return useRows(agentsQuery(client), agentCollection(client), byName);
}

function byName(agents: Iterable<Agent>): Agent[] {
  return [...agents].toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
}

function isAnyRunning(client: Client): boolean {
  return [...agentCollection(client).getSnapshot().values()].some((agent) => agent.lastStatus === "running");
}
