import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { trpc, trpcClient } from "../../api/trpc.ts";
import { ownTimeZone } from "../../dates/own-time-zone.ts";
import { useBudget } from "../usage/use-budget.ts";
import type { AgentRun } from "./agent.ts";
import type { Period } from "../../dates/period.ts";
import type { AgentSearch } from "./agent-search.ts";

const PAGE_SIZE = 100;
const LIVE_INTERVAL_MS = 1_000;
const RUNNING_INTERVAL_MS = 2_000;
const REFRESH_INTERVAL_MS = 15_000;
const SLOW_INTERVAL_MS = 30_000;

/** When a schedule is due next. Waits for a schedule that is complete. */
export function useNextRuns(schedule: string, timezone: string | null, isComplete: boolean) {
  return useQuery({
    ...trpc.agents.previewSchedule.queryOptions({ schedule, ...(timezone !== null && { timezone }) }),
    select: (answer) => answer.data,
    enabled: isComplete,
    staleTime: 0,
    refetchInterval: SLOW_INTERVAL_MS,
  });
}

/** What agents may be allowed to use. */
export function useTools() {
  return useQuery({ ...trpc.agents.tools.queryOptions({}), select: (answer) => answer.data, staleTime: Infinity });
}

/** What an agent has cost on the day that budgets count; undefined until it is known. */
export function useCostToday(agentId: string): number | undefined {
  const { data: budget } = useBudget();
  const { data } = useQuery({
    ...trpc.agents.stats.queryOptions({ id: agentId, period: "24h", tz: budget?.timeZone ?? "UTC" }),
    select: (answer) => answer.data.dailyRuns,
    enabled: budget !== undefined,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  return data === undefined ? undefined : (data.find(({ date }) => date === budget?.day)?.costUsd ?? 0);
}

/** Figures of one agent over a window that ends now. */
export function useAgentStatistics(id: string, period: Period) {
  return useQuery({
    ...trpc.agents.stats.queryOptions({ id, period, tz: ownTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: SLOW_INTERVAL_MS,
  });
}

/** Figures of all agents together. */
export function useOverallStatistics(period: Period) {
  return useQuery({
    ...trpc.agents.globalStats.queryOptions({ period, tz: ownTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: SLOW_INTERVAL_MS,
  });
}

/** One run, read again and again while it is under way. */
export function useRun(agentId: string, runId: string) {
  return useQuery({
    ...trpc.agents.getRun.queryOptions({ id: agentId, runId }),
    select: (answer) => answer.data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.data.status === "running" ? LIVE_INTERVAL_MS : false),
  });
}

export interface RunsState {
  /** Newest first. */
  readonly runs: readonly AgentRun[];
  readonly isLoading: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
}

/** The runs of an agent that fit the filter, page by page. */
export function useRuns(agentId: string, { statuses, since }: Pick<AgentSearch, "statuses" | "since">): RunsState {
  const filter = {
    id: agentId,
    limit: PAGE_SIZE,
    ...(statuses.length > 0 && { status: [...statuses] }),
    ...(since !== undefined && { period: since }),
  };
  const { data, isPending, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [["agents", "runs"], filter],
    queryFn: ({ pageParam, signal }) => trpcClient.agents.runs.query({ ...filter, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some((run) => run.status === "running")) === true
        ? RUNNING_INTERVAL_MS
        : REFRESH_INTERVAL_MS,
  });
  const runs = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    runs,
    isLoading: isPending,
    error: runs.length === 0 ? error : null,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    retry: () => void refetch(),
  };
}
