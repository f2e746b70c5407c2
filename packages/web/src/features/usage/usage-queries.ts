import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ownTimeZone } from "../../dates/own-time-zone.ts";
import { trpc, type Outputs } from "../../api/trpc.ts";
import type { Period } from "../../dates/period.ts";
import type { UsageSearch } from "./usage-search.ts";

export type UsageStatistics = Outputs["usage"]["stats"]["data"];
export type UsageRecord = Outputs["usage"]["list"]["data"][number];
export type AssistantUsage = Outputs["assistantUsage"]["statistics"]["data"];

const REFRESH_INTERVAL_MS = 15_000;
const PAGE_SIZE = 50;

/** Costs and tokens over a window that ends now, by the user's own clock: by the hour over a day, else by the day. */
export function useUsageStatistics(period: Period) {
  return useQuery({
    ...trpc.usage.stats.queryOptions({ period, granularity: period === "24h" ? "hourly" : "daily", tz: ownTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
    staleTime: 0,
  });
}

/** One page of calls, newest first. */
export function useUsageList({ period, source, text, page }: UsageSearch) {
  return useQuery({
    ...trpc.usage.list.queryOptions({
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

/** What coding assistants have used, as their own records say. */
export function useAssistantUsage(period: Period) {
  return useQuery({
    ...trpc.assistantUsage.statistics.queryOptions({ period, tz: ownTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
}
