import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";

const REFRESH_INTERVAL_MS = 15_000;

/** The workspace's spending today, its limit, and the time zone in which days are counted. */
export function useBudget() {
  const client = useClient();
  return useQuery({
    ...trpc(client).usage.budget.queryOptions(),
    select: (answer) => answer.data,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
}
