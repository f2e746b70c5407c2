import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import type { Period } from "../../dates/period.ts";

export type HookStatistics = Outputs["hooks"]["statistics"]["data"];

const REFRESH_INTERVAL_MS = 30_000;

/** Statistics over a window that ends now, by days in the user's time zone. */
export function useHookStatistics(period: Period) {
  const client = useClient();
  return useQuery({
    ...trpc(client).hooks.statistics.queryOptions({ period, tz: localTimeZone() }),
    select: (answer) => answer.data,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
}
