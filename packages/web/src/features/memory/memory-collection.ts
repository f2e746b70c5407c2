import { queryOptions, useQuery } from "@tanstack/react-query";
import { Collection } from "../../api/collection.ts";
import { onForget } from "../../api/forget.ts";
import { trpcClient, type Inputs } from "../../api/trpc.ts";
import { useCollection } from "../../api/use-collection.ts";
import { yieldToBrowser } from "../../browser/platform.ts";
import type { Memory } from "./memory.ts";

const FIRST_PAGE_SIZE = 100;
const PAGE_SIZE = 500;
/** Older memories than the newest so many are found by the filter's text, which then asks the server too. */
const MAX_KEPT = 10_000;
const SEARCH_LIMIT = 500;

/** Every memory that the page knows and that is not forgotten. */
export const memoryCollection = new Collection<Memory>(looksAlike);
onForget(() => memoryCollection.clear());

const ALL_KEY = ["memory", "all"];

/** Reads the memories, newest first, into {@link memoryCollection}. */
export const memoriesQuery = queryOptions({
  queryKey: ALL_KEY,
  queryFn: ({ signal }) => readMemories(signal),
  structuralSharing: false,
});

export interface MemoriesState {
  readonly memories: ReadonlyMap<string, Memory>;
  /** Nothing is known yet. */
  readonly isLoading: boolean;
  readonly isComplete: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

/** All memories that are known, kept fresh while anybody looks; with `text`, also what only the server knows of it. */
export function useMemories(text: string): MemoriesState {
  const { data, isPending, isSuccess, error, refetch } = useQuery(memoriesQuery);
  const query = text.trim();
  const search = useQuery({ ...olderMemoriesQuery(query), enabled: data?.isTruncated === true && query !== "" });
  const memories = useCollection(memoryCollection);
  return {
    memories,
    isLoading: isPending && memories.size === 0,
    isComplete: isSuccess && !search.isLoading,
    error: memories.size === 0 ? error : null,
    retry: () => void refetch(),
  };
}

/** One memory, which may be too old to have been read with the others. */
export function memoryQuery(id: string) {
  return queryOptions({
    queryKey: ["memory", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = memoryCollection.startRead();
      const { data } = await trpcClient.memory.get.query({ id }, { signal });
      memoryCollection.merge([data], ticket);
      return data.id;
    },
  });
}

/** Why a memory is told to a session in its project, or is not. Asked anew when what it depends on has changed. */
export function recallQuery({ id, projectPath, chunkType, relevanceScore }: Memory) {
  return queryOptions({
    queryKey: ["memory", "recall", id, projectPath, chunkType, relevanceScore],
    queryFn: async ({ signal }) => {
      const input = projectPath === null ? { id } : { id, project: projectPath };
      return (await trpcClient.memory.explainRecall.query(input, { signal })).data;
    },
  });
}

function olderMemoriesQuery(query: string) {
  return queryOptions({
    queryKey: ["memory", "older", query],
    queryFn: async ({ signal }) => {
      const ticket = memoryCollection.startRead();
      const { data } = await trpcClient.memory.list.query({ query, limit: SEARCH_LIMIT }, { signal });
      memoryCollection.merge(data, ticket);
      return { count: data.length };
    },
  });
}

async function readMemories(signal: AbortSignal): Promise<{ isTruncated: boolean }> {
  const ticket = memoryCollection.startRead();
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const input: Inputs["memory"]["list"] = { limit: cursor === undefined ? FIRST_PAGE_SIZE : PAGE_SIZE, cursor };
    const page = await trpcClient.memory.list.query(input, { signal });
    memoryCollection.merge(page.data, ticket);
    page.data.forEach((memory) => seen.add(memory.id));
    cursor = page.nextCursor;
    await yieldToBrowser();
  } while (cursor !== undefined && seen.size < MAX_KEPT);
  const isTruncated = cursor !== undefined;
  if (!isTruncated) memoryCollection.prune((memory) => !seen.has(memory.id), ticket);
  return { isTruncated };
}

function looksAlike(a: Memory, b: Memory): boolean {
  return (
    a.content === b.content &&
    a.chunkType === b.chunkType &&
    a.projectPath === b.projectPath &&
    a.relevanceScore === b.relevanceScore &&
    a.accessCount === b.accessCount &&
    a.sourceExcerpt === b.sourceExcerpt &&
    a.nearDuplicateOfId === b.nearDuplicateOfId
  );
}
