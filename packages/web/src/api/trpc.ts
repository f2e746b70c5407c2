import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@workspace/core";
import { clientPart } from "../client/client-part.ts";

/** Options for React Query: `useQuery(trpc(client).tasks.tags.queryOptions())`. No page needs them before its first data. */
export const trpc = clientPart((client) =>
  createTRPCOptionsProxy<AppRouter>({ client: client.api, queryClient: client.queries }),
);
