import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { useClient } from "../../client/use-client.ts";
import type { PagedRowsState } from "../../api/use-paged-rows.ts";
import { readHookEvents } from "./hook-event-collection.ts";
import type { HookEvent } from "./hook-event.ts";
import { toListInput, type HookFilter } from "./hook-search.ts";
import { hasGap, mergeEvents } from "./timeline.ts";

const PAGE_SIZE = 100;
const LIVE_LIMIT = 500;
const LIVE_INTERVAL_MS = 4_000;
/** Hooks deliver with a delay: events this much older than the newest known one may still arrive. */
const LATE_MS = 2 * 60_000;

/** The events that match a filter, newest first: older ones page by page, new ones as they happen. */
export function useHookTimeline(filter: HookFilter): PagedRowsState<HookEvent> {
  const client = useClient();
  const input = useMemo(() => toListInput(filter), [filter]);
  const pages = useInfiniteQuery({
    queryKey: ["hooks", "timeline", input],
    queryFn: ({ pageParam, signal }) =>
      readHookEvents(client, { ...input, limit: PAGE_SIZE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    // New events arrive through the live query; refetching all pages would be a waste.
    meta: { isFollowed: true },
    staleTime: 5 * 60_000,
  });
  const newest = pages.data?.pages[0]?.data[0]?.createdAt;
  const live = useQuery({
    queryKey: ["hooks", "live", input, newest],
    queryFn: ({ signal }) => readHookEvents(client, { ...input, since: sinceOf(newest), limit: LIVE_LIMIT }, signal),
    enabled: pages.isSuccess,
    refetchInterval: LIVE_INTERVAL_MS,
    staleTime: 0,
    gcTime: 60_000,
  });
  const { refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = pages;
  const isIncomplete = live.data !== undefined && hasGap(live.data, newest);
  useEffect(() => {
    if (isIncomplete) void refetch();
  }, [isIncomplete, refetch]);

  const events = useMemo(
    () => mergeEvents(live.data?.data ?? [], ...(pages.data?.pages ?? []).map((page) => page.data)),
    [live.data, pages.data],
  );
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    rows: events,
    isLoading: pages.isPending,
    error: events.length === 0 ? pages.error : null,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    retry: () => void refetch(),
  };
}

function sinceOf(newest: string | undefined): string | undefined {
  return newest === undefined ? undefined : new Date(Date.parse(newest) - LATE_MS).toISOString();
}
