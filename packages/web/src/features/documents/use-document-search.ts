import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { useDebounced } from "../palette/use-debounced.ts";
import type { Document, DocumentHit } from "./document.ts";
import { rankForLink } from "./links/link-ranking.ts";
import { useKeptSearch } from "./offline/use-kept-search.ts";

const DELAY_MS = 120;
const LIMIT = 50;

export interface DocumentSearch {
  readonly hits: readonly DocumentHit[];
  readonly isSearching: boolean;
  readonly error: unknown;
  /** Whether the server is away, so that only what this device keeps was searched. */
  readonly isOfKept: boolean;
  retry(): void;
}

/**
 * Files that match the query, best first. Matching names appear immediately; the server searches the contents or, while it is away, this
 * device those that it keeps.
 */
export function useDocumentSearch(query: string, known: readonly Document[], limit = LIMIT): DocumentSearch {
  const client = useClient();
  const debounced = useDebounced(query, DELAY_MS);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...trpc(client).documents.search.queryOptions({ query: debounced, limit }),
    enabled: debounced !== "",
    placeholderData: keepPreviousData,
  });
  const isAway = error !== null && toRequestError(error).kind === "no-response";
  const kept = useKeptSearch(debounced, { limit, isWanted: isAway });
  const isSettled = debounced === query && data !== undefined && !isPlaceholderData;
  const isOfKept = isAway && debounced === query && kept !== undefined;
  const hits = useMemo(() => {
    if (isSettled) return data.data;
    if (isOfKept) return kept.map(({ document, excerpt }) => ({ ...document, excerpt }));
    return query === "" ? [] : rankForLink(known, query, limit).map((file) => ({ ...file, excerpt: null }));
  }, [isSettled, data, isOfKept, kept, known, query, limit]);
  const isSearching = !isSettled && !isOfKept && (isFetching || isAway || debounced !== query);
  return { hits, isSearching, error: isAway ? null : error, isOfKept, retry: () => void refetch() };
}
