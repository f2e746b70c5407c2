import { QueryClient } from "@tanstack/react-query";
import { toRequestError } from "./request-error.ts";

/** How long loaded data counts as fresh, unless a change is announced. */
export const STALE_AFTER_MS = 30_000;
const MAX_RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER_MS,
        gcTime: 30 * 60_000,
        // Being offline is shown as a failure: a request that silently waits for the network would seem neither loading nor
        // failed.
        networkMode: "always",
        retry: (failures, error) => toRequestError(error).kind === "server" && failures < MAX_RETRIES,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
