import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/client.ts";
import type { Document } from "./document.ts";

const MIRROR_BUSY_INTERVAL_MS = 1_000;
const MIRROR_INTERVAL_MS = 15_000;

// What depends on a document's content is refetched when the content changes; the previous data is shown until then.

/** What links to a document, and what it links to. */
export function linksQuery(client: Client, { id, contentHash }: Document) {
  return queryOptions({
    queryKey: ["documents", "links", id, contentHash],
    queryFn: async ({ signal }) => (await client.api.documents.links.query({ id }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The notes that mention a document without linking to it. */
export function mentionsQuery(client: Client, { id, title, path }: Document) {
  return queryOptions({
    queryKey: ["documents", "mentions", id, title, path],
    queryFn: async ({ signal }) => (await client.api.documents.mentions.query({ id }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The earlier versions of a document, newest first. */
export function versionsQuery(client: Client, { id, contentHash }: Document) {
  return queryOptions({
    queryKey: ["documents", "versions", id, contentHash],
    queryFn: async ({ signal }) => (await client.api.documents.versions.query({ id }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** One earlier version, which never changes. */
export function versionQuery(client: Client, id: string, versionId: string) {
  return queryOptions({
    queryKey: ["documents", "version", id, versionId],
    queryFn: async ({ signal }) => (await client.api.documents.version.query({ id, versionId }, { signal })).data,
    staleTime: Infinity,
  });
}

/** Whether the documents are in sync with the files on disk; polled more often while they are not. */
export function mirrorStatusQuery(client: Client) {
  return queryOptions({
    // Not under the "documents" key: every indexed document would restart the query, and it would never finish.
    queryKey: ["vault", "mirror"],
    queryFn: async ({ signal }) => (await client.api.documents.mirrorStatus.query(undefined, { signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.progress !== null || data.unindexed > 0 ? MIRROR_BUSY_INTERVAL_MS : MIRROR_INTERVAL_MS,
    staleTime: 0,
  });
}

/** A document's entire file, including the frontmatter. */
export function fileTextQuery(client: Client, { path, contentHash }: Document) {
  return queryOptions({
    queryKey: ["documents", "file-text", path, contentHash],
    queryFn: async ({ signal }) => (await client.api.fs.read.query({ path: `/${path}` }, { signal })).data.content,
    staleTime: Infinity,
  });
}
