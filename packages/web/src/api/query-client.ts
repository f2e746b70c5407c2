import { QueryClient } from "@tanstack/react-query";
import { subscribeToConnection } from "./connection.ts";
import { toRequestError } from "./request-error.ts";

const STALE_AFTER_MS = 30_000;
const MAX_RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      gcTime: 30 * 60_000,
      // Offline is shown as it is; a request that waits silently for the network would be neither loading nor failed.
      networkMode: "always",
      retry: (failures, error) => toRequestError(error).kind === "server" && failures < MAX_RETRIES,
    },
    mutations: { networkMode: "always", retry: false },
  },
});

// What was missed while the server was away is read again as soon as it answers.
subscribeToConnection((state) => {
  if (state === "online") void queryClient.invalidateQueries();
});
