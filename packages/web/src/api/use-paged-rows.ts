import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { RowsState } from "./collection-query.ts";
import { STALE_AFTER_MS } from "./query-client.ts";

/** Rows of a paginated list, of which more are loaded as the user nears the end. */
export interface PagedRowsState<R> extends RowsState<R> {
  /** Whether there are rows that have not been loaded. */
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

interface PagedRows<R> {
  readonly queryKey: readonly unknown[];
  readonly readPage: (
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ readonly data: readonly R[]; readonly nextCursor?: string | undefined }>;
  readonly staleTime?: number;
  /** How often the loaded rows are refetched; false for never. */
  readonly refetchInterval?: (rows: readonly R[]) => number | false;
}

function never(): false {
  return false;
}

/**
 * The rows of a paginated list, loaded as they are needed. `knownAt` is when they were read, in milliseconds, if they could not be read
 * again; null if they are up to date.
 */
export function usePagedRows<R>({
  queryKey,
  readPage,
  staleTime = STALE_AFTER_MS,
  refetchInterval = never,
}: PagedRows<R>): PagedRowsState<R> & { readonly knownAt: number | null } {
  const { data, dataUpdatedAt, isPending, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey,
      queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      staleTime,
      refetchInterval: ({ state }) => refetchInterval((state.data?.pages ?? []).flatMap((page) => page.data)),
    });
  const rows = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    rows,
    isLoading: isPending,
    error: rows.length === 0 ? error : null,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    knownAt: error === null || data === undefined ? null : dataUpdatedAt,
    loadMore,
    retry: () => void refetch(),
  };
}
