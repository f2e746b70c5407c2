import { queryOptions, useQuery } from "@tanstack/react-query";
import { readPages } from "../../api/collection-query.ts";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import type { Client } from "../../client/client.ts";
import { collectionPart } from "../../client/collection-part.ts";
import type { Citation, Memory } from "./memory.ts";

const PAGE_SIZES = { first: 100, next: 500 };
/** Older memories are found through the filter's text, which then queries the server too. */
export const MAX_LOADED = 10_000;
const SEARCH_LIMIT = 500;

/** Every loaded memory that is not forgotten. */
export const memoryCollection = collectionPart<Memory>(isEquivalent);

/** Loads the memories, newest first, into {@link memoryCollection}. */
export function memoriesQuery(client: Client) {
  return queryOptions({
    queryKey: ["memory", "all"],
    queryFn: ({ signal }) => readMemories(client, signal),
    structuralSharing: false,
  });
}

export interface MemoriesState {
  readonly memories: ReadonlyMap<string, Memory>;
  /** No data has been loaded yet. */
  readonly isLoading: boolean;
  readonly isComplete: boolean;
  /** Why loading failed; null while there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

/** All loaded memories, kept up to date while mounted; with `text`, also those found only by the server. */
export function useMemories(text: string): MemoriesState {
  const client = useClient();
  const { data, isPending, isSuccess, error, refetch } = useQuery(memoriesQuery(client));
  const query = text.trim();
  const search = useQuery({
    ...olderMemoriesQuery(client, query),
    enabled: data?.isTruncated === true && query !== "",
  });
  const memories = useCollection(memoryCollection(client));
  return {
    memories,
    isLoading: isPending && memories.size === 0,
    isComplete: isSuccess && !search.isLoading,
    error: memories.size === 0 ? error : null,
    retry: () => void refetch(),
  };
}

/** One memory, which may be too old to have been loaded with the others. */
export function memoryQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ["memory", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = memoryCollection(client).startRead();
      const { data } = await client.api.memory.get.query({ id }, { signal });
      memoryCollection(client).merge([data], ticket);
      return data.id;
    },
  });
}

/** Why a memory is, or is not, recalled in a session in its project. Refetched when what it depends on changes. */
export function recallQuery(client: Client, memory: Memory) {
  const { id, projectPath, chunkType, relevanceScore, supersededById, withheldAt } = memory;
  return queryOptions({
    queryKey: ["memory", "recall", id, projectPath, chunkType, relevanceScore, supersededById, withheldAt],
    queryFn: async ({ signal }) => {
      const input = projectPath === null ? { id } : { id, project: projectPath };
      return (await client.api.memory.explainRecall.query(input, { signal })).data;
    },
  });
}

function olderMemoriesQuery(client: Client, query: string) {
  return queryOptions({
    queryKey: ["memory", "older", query],
    queryFn: async ({ signal }) => {
      const ticket = memoryCollection(client).startRead();
      const { data } = await client.api.memory.list.query({ query, limit: SEARCH_LIMIT }, { signal });
      memoryCollection(client).merge(data, ticket);
      return { count: data.length };
    },
  });
}

async function readMemories(client: Client, signal: AbortSignal): Promise<{ isTruncated: boolean }> {
  const collection = memoryCollection(client);
  const ticket = collection.startRead();
  const seen = new Set<string>();
  for await (const page of readPages((part) => client.api.memory.list.query(part, { signal }), PAGE_SIZES)) {
    collection.merge(page, ticket);
    page.forEach((memory) => seen.add(memory.id));
    if (seen.size >= MAX_LOADED) return { isTruncated: true };
  }
  collection.prune((memory) => !seen.has(memory.id), ticket);
  return { isTruncated: false };
}

function isEquivalent(a: Memory, b: Memory): boolean {
  return (
    a.content === b.content &&
    a.chunkType === b.chunkType &&
    a.projectPath === b.projectPath &&
    a.relevanceScore === b.relevanceScore &&
    a.accessCount === b.accessCount &&
    a.sourceExcerpt === b.sourceExcerpt &&
    a.nearDuplicateOfId === b.nearDuplicateOfId &&
    a.awaitsReview === b.awaitsReview &&
    a.supersededById === b.supersededById &&
    a.withheldAt === b.withheldAt &&
    a.citations.length === b.citations.length &&
    a.citations.every((citation, index) => isSameCitation(citation, b.citations[index]))
  );
}

function isSameCitation(a: Citation, b: Citation | undefined): boolean {
  return a.path === b?.path && a.startLine === b.startLine && a.endLine === b.endLine && a.state === b.state;
}
