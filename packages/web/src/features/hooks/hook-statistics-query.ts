import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ownTimeZone } from "../../dates/own-time-zone.ts";
import { trpc, type Outputs } from "../../api/trpc.ts";
import type { Period } from "../../dates/period.ts";

export type HookStatistics = Outputs["hooks"]["statistics"]["data"];

const REFRESH_INTERVAL_MS = 30_000;

/** Figures over a window that ends now, by the days of the user's own clock. */
export function useHookStatistics(period: Period) {
  return useQuery({
    ...trpc.hooks.statistics.queryOptions({ period, tz: ownTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
}
