import { queryOptions } from "@tanstack/react-query";
import { collectionQuery, readPages } from "../../api/collection-query.ts";
import type { Client } from "../../client/client.ts";
import { collectionPart } from "../../client/collection-part.ts";
import type { Document } from "./document.ts";

const PAGE_SIZES = { first: 100, next: 1_000 };
/** How often an open document is checked for changes made elsewhere. */
const WATCH_INTERVAL_MS = 15_000;

/** All documents that the page has loaded, including deleted ones once they have been seen. */
export const documentCollection = collectionPart<Document>(isEquivalent);

/** Loads all documents into {@link documentCollection}. */
export function documentsQuery(client: Client) {
  return collectionQuery(documentCollection(client), {
    queryKey: ["documents", "active"],
    read: (signal) => readPages((part) => client.api.documents.list.query(part, { signal }), PAGE_SIZES),
    belongs: (document) => document.deletedAt === null,
  });
}

/** Loads the deleted documents into {@link documentCollection}. */
export function deletedDocumentsQuery(client: Client) {
  return collectionQuery(documentCollection(client), {
    queryKey: ["documents", "deleted"],
    read: (signal) =>
      readPages((part) => client.api.documents.list.query({ ...part, includeDeleted: true }, { signal }), PAGE_SIZES),
    belongs: (document) => document.deletedAt !== null,
  });
}

/** One document with its text. */
export function documentQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ["documents", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = documentCollection(client).startRead();
      const { data } = await client.api.documents.get.query({ id }, { signal });
      documentCollection(client).merge([data.document], ticket);
      return data;
    },
    staleTime: 0,
    refetchInterval: WATCH_INTERVAL_MS,
  });
}

function isEquivalent(a: Document, b: Document): boolean {
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
