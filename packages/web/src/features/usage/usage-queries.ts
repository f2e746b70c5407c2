import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import type { Period } from "../../dates/period.ts";
import type { UsageSearch } from "./usage-search.ts";

export type UsageStatistics = Outputs["usage"]["stats"]["data"];
export type UsageRecord = Outputs["usage"]["list"]["data"][number];
export type AssistantUsage = Outputs["assistantUsage"]["statistics"]["data"];
export type AssistantLimits = Outputs["assistantUsage"]["limits"]["data"];

const REFRESH_INTERVAL_MS = 15_000;
const PAGE_SIZE = 50;

/** Costs and tokens over a window that ends now, in the user's time zone: by hour over one day, otherwise by day. */
export function useUsageStatistics(period: Period) {
  const client = useClient();
  return useQuery({
    ...trpc(client).usage.stats.queryOptions({
      period,
      granularity: period === "24h" ? "hourly" : "daily",
      tz: localTimeZone(),
    }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
    staleTime: 0,
  });
}

/** One page of calls, newest first. */
export function useUsageList({ period, source, text, page }: UsageSearch) {
  const client = useClient();
  return useQuery({
    ...trpc(client).usage.list.queryOptions({
      period,
      page,
      limit: PAGE_SIZE,
      ...(source !== undefined && { source }),
      ...(text.trim() !== "" && { search: text.trim() }),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
    staleTime: 0,
  });
}

/** The token usage of coding assistants, according to their own records. */
export function useAssistantUsage(period: Period) {
  const client = useClient();
  return useQuery({
    ...trpc(client).assistantUsage.statistics.queryOptions({ period, tz: localTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
}

/** What each assistant used in its current limit windows. */
export function useAssistantLimits() {
  const client = useClient();
  return useQuery({
    ...trpc(client).assistantUsage.limits.queryOptions(),
    select: (answer) => answer.data,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
}
