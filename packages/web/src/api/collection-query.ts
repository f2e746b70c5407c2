import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { yieldToBrowser } from "../browser/yield-to-browser.ts";
import type { Client } from "../client/client.ts";
import { keepRows } from "../local-copy/local-copy.ts";
import type { ReadProgress } from "../realtime/read-progress.ts";
import type { Resource } from "../resources/resource-change.ts";
import type { Collection, Row } from "./collection.ts";
import { refreshRows } from "./refresh-rows.ts";
import { useCollection } from "./use-collection.ts";

/** The first page is small so that the first screen appears quickly; each of the others parses within a frame. */
interface PageSizes {
  readonly first: number;
  readonly next: number;
}

/** Reads a paginated list; between pages, the browser can paint and handle input. */
export async function* readPages<R>(
  readPage: (part: { limit: number; cursor: string | undefined }) => Promise<{
    readonly data: R[];
    readonly nextCursor?: string | undefined;
  }>,
  { first, next }: PageSizes,
): AsyncGenerator<R[]> {
  let cursor: string | undefined;
  do {
    const page = await readPage({ limit: cursor === undefined ? first : next, cursor });
    yield page.data;
    cursor = page.nextCursor;
    await yieldToBrowser();
  } while (cursor !== undefined);
}

/** How rows are kept up to date without reading all of them, in this page and in the next visit. */
interface KeptUp {
  readonly client: Client;
  readonly resource: Resource;
  readonly progress: ReadProgress<{ readonly count: number }>;
  /** Of these, the rows show parts. */
  readonly shown: readonly Resource[];
  readonly maxChanged: number;
  /** Reads the current state of rows, of which some may be gone. */
  readonly readSome: (ids: readonly string[]) => Promise<void>;
}

interface CollectionQuery<R extends Row> {
  readonly queryKey: readonly string[];
  /** Yields all rows, in pages of any size. */
  readonly read: (signal: AbortSignal) => AsyncIterable<readonly R[]>;
  /** Which rows of the collection the query covers; all of them by default. */
  readonly belongs?: (row: R) => boolean;
  /** By default, all are read each time. */
  readonly keptUp?: KeptUp;
}

/** Reads rows into their collection, and removes those that the server no longer has. */
export function collectionQuery<R extends Row>(
  collection: Collection<R>,
  { queryKey, read, belongs = () => true, keptUp }: CollectionQuery<R>,
) {
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const readAll = async () => {
        const ticket = collection.startRead();
        const seen = new Set<string>();
        for await (const page of read(signal)) {
          const rows = page.filter(belongs);
          collection.merge(rows, ticket);
          rows.forEach((row) => seen.add(row.id));
        }
        collection.prune((row) => belongs(row) && !seen.has(row.id), ticket);
        return { count: seen.size };
      };
      if (keptUp === undefined) return readAll();
      const { client, progress, resource } = keptUp;
      await keepRows(client, { name: resource, collection, progress, belongs });
      if (progress.details !== undefined) client.queries.setQueryData(queryKey, progress.details);
      return refreshRows(client, { ...keptUp, readAll });
    },
  });
}

/** Rows to show, and the state of loading them. */
export interface RowsState<R> {
  readonly rows: readonly R[];
  /** No rows have been loaded yet. */
  readonly isLoading: boolean;
  /** Why loading failed; null while there is something to show, or it is known that there is nothing. */
  readonly error: Error | null;
  retry(): void;
}

/**
 * The rows of a collection that `select` picks and sorts, kept up to date while they are shown. `select` must be stable.
 */
export function useRows<R extends Row>(
  query: ReturnType<typeof collectionQuery<R>>,
  collection: Collection<R>,
  select: (rows: Iterable<R>) => readonly R[],
): RowsState<R> {
  const { data, isPending, error, refetch } = useQuery(query);
  const known = useCollection(collection);
  const rows = useMemo(() => select(known.values()), [known, select]);
  const isEmpty = rows.length === 0;
  return {
    rows,
    isLoading: isPending && isEmpty,
    error: isEmpty && data === undefined ? error : null,
    retry: () => void refetch(),
  };
}

/** Deleted rows, most recently deleted first. */
export function newestDeletionFirst<R extends Row & { readonly deletedAt: string | null }>(rows: Iterable<R>): R[] {
  return [...rows]
    .filter((row) => row.deletedAt !== null)
    .toSorted((a, b) => ((a.deletedAt ?? "") < (b.deletedAt ?? "") ? 1 : -1));
}
