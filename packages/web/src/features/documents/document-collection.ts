import { queryOptions } from "@tanstack/react-query";
import { collectionQuery, readPages } from "../../api/collection-query.ts";
import type { Client } from "../../client/client.ts";
import { clientPart } from "../../client/client-part.ts";
import { collectionPart } from "../../client/collection-part.ts";
import { toRequestError } from "../../api/request-error.ts";
import { progressPart } from "../../realtime/read-progress.ts";
import { localCopy } from "../../local-copy/local-copy.ts";
import type { Document, OpenDocument } from "./document.ts";

const PAGE_SIZES = { first: 100, next: 1_000 };
/** How often an open document is checked for changes made elsewhere. */
const WATCH_INTERVAL_MS = 15_000;

/** All documents that the page has loaded, including deleted ones once they have been seen. */
export const documentCollection = collectionPart<Document>(isEquivalent);

/** Up to which change the documents are known. */
export const documentProgress = progressPart<{ readonly count: number }>();
/** Each is read with its text. */
const MAX_CHANGED = 30;

/** When each document that was read with its text was asked for, in milliseconds since 1970. */
export const documentReads = clientPart(() => new Map<string, number>());

/** Loads all documents into {@link documentCollection}. */
export function documentsQuery(client: Client) {
  return collectionQuery(documentCollection(client), {
    queryKey: ["documents", "active"],
    read: (signal) => readPages((part) => client.api.documents.list.query(part, { signal }), PAGE_SIZES),
    belongs: (document) => document.deletedAt === null,
    keptUp: {
      client,
      resource: "document",
      progress: documentProgress(client),
      shown: ["project"],
      maxChanged: MAX_CHANGED,
      readSome: async (ids) => void (await Promise.all(ids.map((id) => readDocument(client, id)))),
    },
  });
}

/** Loads the deleted documents into {@link documentCollection}. */
export function deletedDocumentsQuery(client: Client) {
  return collectionQuery(documentCollection(client), {
    queryKey: ["documents", "deleted"],
    read: (signal) =>
      readPages((part) => client.api.documents.list.query({ ...part, onlyDeleted: true }, { signal }), PAGE_SIZES),
    belongs: (document) => document.deletedAt !== null,
  });
}

/** Reads the current state of a document, which may be gone. */
async function readDocument(client: Client, id: string): Promise<void> {
  const ticket = documentCollection(client).startRead();
  try {
    const { data } = await client.api.documents.get.query({ id });
    documentCollection(client).merge([data.document], ticket);
  } catch (error) {
    if (toRequestError(error).kind !== "missing") throw error;
    documentCollection(client).prune((document) => document.id === id, ticket);
  }
}

/** One document with its text. */
export function documentQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ["documents", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = documentCollection(client).startRead();
      const askedAt = Date.now();
      try {
        const { data } = await client.api.documents.get.query({ id }, { signal });
        documentCollection(client).merge([data.document], ticket);
        documentReads(client).set(id, askedAt);
        return data;
      } catch (error) {
        const kept = toRequestError(error).kind === "no-response" ? await keptDocument(client, id) : undefined;
        if (kept === undefined) throw error;
        if (documentCollection(client).get(id) === undefined) documentCollection(client).merge([kept.document], ticket);
        return kept;
      }
    },
    staleTime: 0,
    refetchInterval: WATCH_INTERVAL_MS,
  });
}

/** A document as it was when it was last read, which it may have been without having been opened. */
export async function keptDocument(client: Client, id: string): Promise<OpenDocument | undefined> {
  const copy = await localCopy(client).earlier();
  const [opened, text] = await Promise.all([
    copy?.answer(documentQuery(client, id).queryKey),
    copy?.texts.readText(id),
  ]);
  const kept = (text?.readAt ?? 0) > (opened?.readAt ?? 0) ? text : opened;
  // The dashboard that has stored it was of the same version.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return kept?.data as OpenDocument | undefined;
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
