import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { usePagedRows, type PagedRowsState } from "../../api/use-paged-rows.ts";
import { useClient } from "../../client/use-client.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { useBudget } from "../usage/use-budget.ts";
import type { AgentRun } from "./agent.ts";
import type { Period } from "../../dates/period.ts";
import type { AgentSearch } from "./agent-search.ts";

const PAGE_SIZE = 100;
const LIVE_INTERVAL_MS = 1_000;
const RUNNING_INTERVAL_MS = 2_000;
const REFRESH_INTERVAL_MS = 15_000;
const SLOW_INTERVAL_MS = 30_000;

/** The next due times of a schedule. Disabled until the schedule is complete. */
export function useNextRuns(schedule: string, timezone: string | null, isComplete: boolean) {
  const client = useClient();
  return useQuery({
    ...trpc(client).agents.previewSchedule.queryOptions({ schedule, ...(timezone !== null && { timezone }) }),
    select: (answer) => answer.data,
    enabled: isComplete,
    staleTime: 0,
    refetchInterval: SLOW_INTERVAL_MS,
  });
}

/** The tools that agents can be given. */
export function useTools() {
  const client = useClient();
  return useQuery({
    ...trpc(client).agents.tools.queryOptions({}),
    select: (answer) => answer.data,
    staleTime: Infinity,
  });
}

/** What an agent has cost on the current budget day; undefined until loaded. */
export function useCostToday(agentId: string): number | undefined {
  const client = useClient();
  const { data: budget } = useBudget();
  const { data } = useQuery({
    ...trpc(client).agents.stats.queryOptions({ id: agentId, period: "24h", tz: budget?.timeZone ?? "UTC" }),
    select: (answer) => answer.data.dailyRuns,
    enabled: budget !== undefined,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  return data === undefined ? undefined : (data.find(({ date }) => date === budget?.day)?.costUsd ?? 0);
}

/** Statistics of one agent over a window that ends now. */
export function useAgentStatistics(id: string, period: Period) {
  const client = useClient();
  return useQuery({
    ...trpc(client).agents.stats.queryOptions({ id, period, tz: localTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: SLOW_INTERVAL_MS,
  });
}

/** Statistics of all agents together. */
export function useOverallStatistics(period: Period) {
  const client = useClient();
  return useQuery({
    ...trpc(client).agents.globalStats.queryOptions({ period, tz: localTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: SLOW_INTERVAL_MS,
  });
}

/** One run, polled while it is in progress. */
export function useRun(agentId: string, runId: string) {
  const client = useClient();
  return useQuery({
    ...trpc(client).agents.getRun.queryOptions({ id: agentId, runId }),
    select: (answer) => answer.data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.data.status === "running" ? LIVE_INTERVAL_MS : false),
  });
}

/** The runs of an agent that match the filter, newest first. */
export function useRuns(
  agentId: string,
  { statuses, since }: Pick<AgentSearch, "statuses" | "since">,
): PagedRowsState<AgentRun> {
  const client = useClient();
  const filter = {
    id: agentId,
    limit: PAGE_SIZE,
    ...(statuses.length > 0 && { status: [...statuses] }),
    ...(since !== undefined && { period: since }),
  };
  return usePagedRows({
    queryKey: [["agents", "runs"], filter],
    readPage: (cursor, signal) => client.api.agents.runs.query({ ...filter, cursor }, { signal }),
    staleTime: 0,
    refetchInterval: (runs) =>
      runs.some((run) => run.status === "running") ? RUNNING_INTERVAL_MS : REFRESH_INTERVAL_MS,
  });
}
