import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useClient } from "../../client/use-client.ts";
import { type RecordedSession, type SessionCall, callsIn, sessionsIn } from "./session-calls.ts";

const PAGE_SIZE = 200;
/** Sessions are those with a start or a prompt among so many. */
const RECENT_EVENTS = 300;
const STALE_MS = 60_000;

interface Loaded<Rows> {
  /** Undefined while nothing has been loaded. */
  readonly rows: readonly Rows[] | undefined;
  readonly error: unknown;
  retry(): void;
}

/** The sessions that were recorded last. */
export function useRecordedSessions(): Loaded<RecordedSession> {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["hook-replay", "sessions"],
    queryFn: async ({ signal }) => {
      const input = { eventType: ["SessionStart" as const, "UserPromptSubmit" as const], limit: RECENT_EVENTS };
      return sessionsIn((await client.api.hooks.listEvents.query(input, { signal })).data);
    },
    staleTime: STALE_MS,
  });
  return { rows: data, error, retry: () => void refetch() };
}

/** The calls of a session, the most recent first and earlier ones on demand; undefined if there are no earlier ones. */
export function useSessionCalls(
  sessionId: string,
): Loaded<SessionCall> & { readonly isLoadingMore: boolean; readonly loadMore: (() => void) | undefined } {
  const client = useClient();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["hook-replay", "calls", sessionId],
    queryFn: ({ pageParam, signal }) => {
      const eventType = ["PreToolUse" as const, "PostToolUse" as const, "PostToolUseFailure" as const];
      return client.api.hooks.listEvents.query(
        { sessionId, eventType, limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: STALE_MS,
  });
  const rows = useMemo(() => data && callsIn(data.pages.flatMap((page) => page.data)), [data]);
  return {
    rows,
    error,
    retry: () => void refetch(),
    isLoadingMore: isFetchingNextPage,
    loadMore: hasNextPage ? () => void fetchNextPage() : undefined,
  };
}
