import { queryOptions } from "@tanstack/react-query";
import { Collection } from "../../api/collection.ts";
import { onForget } from "../../api/forget.ts";
import { trpcClient } from "../../api/trpc.ts";
import { yieldToBrowser } from "../../browser/platform.ts";
import type { Document } from "./document.ts";

/** Small, so that the newest are there quickly; the rest follows in pages that each parse within a frame. */
const FIRST_PAGE_SIZE = 100;
const PAGE_SIZE = 1_000;
/** How often an open document is looked at for changes made elsewhere. */
const WATCH_INTERVAL_MS = 15_000;

/** Every document that the page knows, deleted ones included once they have been seen. */
export const documentCollection = new Collection<Document>(looksAlike);
onForget(() => documentCollection.clear());

/** Reads all documents into {@link documentCollection}. */
export const documentsQuery = queryOptions({
  queryKey: ["documents", "active"],
  queryFn: ({ signal }) => readDocuments(false, signal),
  structuralSharing: false,
});

/** Reads the deleted documents into {@link documentCollection}. */
export const deletedDocumentsQuery = queryOptions({
  queryKey: ["documents", "deleted"],
  queryFn: ({ signal }) => readDocuments(true, signal),
  structuralSharing: false,
});

/** One document with its text. */
export function documentQuery(id: string) {
  return queryOptions({
    queryKey: ["documents", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = documentCollection.startRead();
      const { data } = await trpcClient.documents.get.query({ id }, { signal });
      documentCollection.merge([data.document], ticket);
      return data;
    },
    staleTime: 0,
    refetchInterval: WATCH_INTERVAL_MS,
  });
}

async function readDocuments(isDeleted: boolean, signal: AbortSignal): Promise<{ count: number }> {
  const ticket = documentCollection.startRead();
  const seen = new Set<string>();
  const belongs = (document: Document) => (document.deletedAt !== null) === isDeleted;
  let cursor: string | undefined;
  do {
    const limit = cursor === undefined ? FIRST_PAGE_SIZE : PAGE_SIZE;
    const page = await trpcClient.documents.list.query({ includeDeleted: isDeleted, limit, cursor }, { signal });
    const rows = page.data.filter(belongs);
    documentCollection.merge(rows, ticket);
    rows.forEach((document) => seen.add(document.id));
    cursor = page.nextCursor;
    await yieldToBrowser();
  } while (cursor !== undefined);
  documentCollection.prune((document) => belongs(document) && !seen.has(document.id), ticket);
  return { count: seen.size };
}

function looksAlike(a: Document, b: Document): boolean {
  return (
    a.modifiedAt === b.modifiedAt &&
    a.contentHash === b.contentHash &&
    a.path === b.path &&
    a.title === b.title &&
    a.deletedAt === b.deletedAt &&
    a.shared === b.shared &&
    a.shareType === b.shareType &&
    a.project?.name === b.project?.name &&
    a.project?.color === b.project?.color &&
    a.tags.join("\n") === b.tags.join("\n")
  );
}
