import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@workspace/core";
import { apiFetch } from "./fetch.ts";
import { queryClient } from "./query-client.ts";

/** Calls a procedure directly: `trpcClient.tasks.get.query({ id })`. */
export const trpcClient = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: "/api/trpc",
      maxURLLength: 4_000,
      maxItems: 40,
      // Answers live in React Query and nowhere else: a secret that was shown must not be left in the browser's cache.
      fetch: (input, init) => apiFetch(input, { ...init, signal: init?.signal ?? null, cache: "no-store" }),
    }),
  ],
});

/** Options for React Query: `useQuery(trpc.tasks.tags.queryOptions())`. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client: trpcClient, queryClient });

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;
