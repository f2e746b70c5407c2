import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Outputs } from "../../api/api.ts";
import type { PagedRowsState } from "../../api/use-paged-rows.ts";
import { useClient } from "../../client/use-client.ts";
import { cacheEvents } from "./hook-event-collection.ts";
import type { HookEvent } from "./hook-event.ts";

export type HookSession = Outputs["hooks"]["getSession"]["data"];

const PAGE_SIZE = 500;
const REFRESH_INTERVAL_MS = 10_000;

/** The session's events in chronological order, and its other details as last loaded. */
export interface HookSessionState extends PagedRowsState<HookEvent> {
  readonly session: HookSession | undefined;
}

/** One session of an assistant, refetched while it is active. */
export function useHookSession(sessionId: string): HookSessionState {
  const client = useClient();
  const { data, isPending, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["hooks", "session", sessionId],
    queryFn: async ({ pageParam, signal }) => {
      const page = await client.api.hooks.getSession.query(
        { sessionId, limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      );
      cacheEvents(client, [...page.data.events, ...page.data.blockedCalls]);
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.data.hasEnded === false ? REFRESH_INTERVAL_MS : false),
  });
  const events = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data.events), [data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    session: data?.pages.at(-1)?.data,
    rows: events,
    isLoading: isPending,
    error: data === undefined ? error : null,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    retry: () => void refetch(),
  };
}
