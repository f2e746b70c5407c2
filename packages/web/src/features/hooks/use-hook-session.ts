import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Outputs } from "../../api/api.ts";
import type { PagedRowsState } from "../../api/use-paged-rows.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { cacheEvents } from "./hook-event-collection.ts";
import type { HookEvent } from "./hook-event.ts";

export type HookSession = Outputs["hooks"]["getSession"]["data"];

const PAGE_SIZE = 500;
const REFRESH_INTERVAL_MS = 10_000;
/** Gathering it takes the server long, so it is not read again with every event. */
const meta = { isFollowed: true };

async function readSession(
  client: Client,
  input: { sessionId: string; limit: number; cursor?: string | undefined },
  signal: AbortSignal,
) {
  const page = await client.api.hooks.getSession.query(input, { signal });
  cacheEvents(client, [...page.data.events, ...page.data.blockedCalls]);
  return page;
}

/** The details of a session, refetched while it is active. */
export function useHookSession(sessionId: string, { isEnabled }: { readonly isEnabled: boolean }) {
  const client = useClient();
  return useQuery({
    queryKey: ["hooks", "session", sessionId],
    queryFn: async ({ signal }) => (await readSession(client, { sessionId, limit: 1 }, signal)).data,
    enabled: isEnabled,
    refetchInterval: ({ state }) => (state.data?.hasEnded === false ? REFRESH_INTERVAL_MS : false),
    meta,
  });
}

/** The events of a session in chronological order, refetched while it is active. */
export function useSessionEvents(sessionId: string): PagedRowsState<HookEvent> {
  const client = useClient();
  const { data, isPending, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["hooks", "session-events", sessionId],
    queryFn: ({ pageParam, signal }) => readSession(client, { sessionId, limit: PAGE_SIZE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.data.hasEnded === false ? REFRESH_INTERVAL_MS : false),
    meta,
  });
  const rows = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data.events), [data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    rows,
    isLoading: isPending,
    error: data === undefined ? error : null,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    retry: () => void refetch(),
  };
}
