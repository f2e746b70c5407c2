import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { readHookEvents } from "./hook-event-collection.ts";
import type { HookEvent } from "./hook-event.ts";
import { toListInput, type HookFilter } from "./hook-search.ts";
import { hasGap, mergeEvents } from "./timeline.ts";

const PAGE_SIZE = 100;
const LIVE_LIMIT = 500;
const LIVE_INTERVAL_MS = 4_000;
/** Hooks deliver a little late; what happened so long before the newest known event may still come in. */
const LATE_MS = 2 * 60_000;

export interface HookTimeline {
  /** Latest first. */
  readonly events: readonly HookEvent[];
  readonly isLoading: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
}

/** The events that fit a filter: older ones page by page, new ones as they happen. */
export function useHookTimeline(filter: HookFilter): HookTimeline {
  const input = useMemo(() => toListInput(filter), [filter]);
  const pages = useInfiniteQuery({
    queryKey: ["hooks", "timeline", input],
    queryFn: ({ pageParam, signal }) => readHookEvents({ ...input, limit: PAGE_SIZE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    // What is new comes through the live query; all pages anew would be for nothing.
    meta: { isFollowed: true },
    staleTime: 5 * 60_000,
  });
  const newest = pages.data?.pages[0]?.data[0]?.createdAt;
  const live = useQuery({
    queryKey: ["hooks", "live", input, newest],
    queryFn: ({ signal }) => readHookEvents({ ...input, since: sinceOf(newest), limit: LIVE_LIMIT }, signal),
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
    events,
    isLoading: pages.isPending,
    error: events.length === 0 ? pages.error : null,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    retry: () => void refetch(),
  };
}

function sinceOf(newest: string | undefined): string | undefined {
  return newest === undefined ? undefined : new Date(Date.parse(newest) - LATE_MS).toISOString();
}
