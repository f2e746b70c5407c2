import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { useDebounced } from "../palette/use-debounced.ts";
import type { Document, DocumentHit } from "./document.ts";
import { rankForLink } from "./link-ranking.ts";

const DELAY_MS = 120;
const LIMIT = 50;

export interface DocumentSearch {
  readonly hits: readonly DocumentHit[];
  readonly isSearching: boolean;
  readonly error: unknown;
  retry(): void;
}

/** Files that match the query, best first. Matching names appear immediately; the server searches the contents. */
export function useDocumentSearch(query: string, known: readonly Document[], limit = LIMIT): DocumentSearch {
  const client = useClient();
  const debounced = useDebounced(query, DELAY_MS);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...trpc(client).documents.search.queryOptions({ query: debounced, limit }),
    enabled: debounced !== "",
    placeholderData: keepPreviousData,
  });
  const isSettled = debounced === query && data !== undefined && !isPlaceholderData;
  const hits = useMemo(() => {
    if (isSettled) return data.data;
    return query === "" ? [] : rankForLink(known, query, limit).map((file) => ({ ...file, excerpt: null }));
  }, [isSettled, data, known, query, limit]);
  return { hits, isSearching: !isSettled && (isFetching || debounced !== query), error, retry: () => void refetch() };
}
