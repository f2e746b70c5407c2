import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { trpcClient, type Outputs } from "../../api/trpc.ts";
import { rememberEvents } from "./hook-event-collection.ts";
import type { HookEvent } from "./hook-event.ts";

export type HookSession = Outputs["hooks"]["getSession"]["data"];

const PAGE_SIZE = 500;
const REFRESH_INTERVAL_MS = 10_000;

export interface HookSessionState {
  /** All but the events, as it was last read. */
  readonly session: HookSession | undefined;
  /** In the order in which they happened. */
  readonly events: readonly HookEvent[];
  readonly isLoading: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
}

/** One session of an assistant; kept fresh while it goes on. */
export function useHookSession(sessionId: string): HookSessionState {
  const { data, isPending, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["hooks", "session", sessionId],
    queryFn: async ({ pageParam, signal }) => {
      const page = await trpcClient.hooks.getSession.query(
        { sessionId, limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      );
      rememberEvents([...page.data.events, ...page.data.blockedCalls]);
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
    events,
    isLoading: isPending,
    error: data === undefined ? error : null,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    retry: () => void refetch(),
  };
}
