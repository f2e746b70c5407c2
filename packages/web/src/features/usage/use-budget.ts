import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";

const REFRESH_INTERVAL_MS = 15_000;

/** Today's spending of the workspace beside its cap, and by which clock a day is counted. */
export function useBudget() {
  return useQuery({
    ...trpc.usage.budget.queryOptions(),
    select: (answer) => answer.data,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
}
