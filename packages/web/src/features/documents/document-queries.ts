import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { trpcClient } from "../../api/trpc.ts";
import type { Document } from "./document.ts";

const MIRROR_BUSY_INTERVAL_MS = 1_000;
const MIRROR_INTERVAL_MS = 15_000;

// What depends on a document's content is asked for anew when that has changed, and shown as it was until then.

/** What links to a document, and what it links to. */
export function linksQuery({ id, contentHash }: Document) {
  return queryOptions({
    queryKey: ["documents", "links", id, contentHash],
    queryFn: async ({ signal }) => (await trpcClient.documents.links.query({ id }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** What a document was before, newest first. */
export function versionsQuery({ id, contentHash }: Document) {
  return queryOptions({
    queryKey: ["documents", "versions", id, contentHash],
    queryFn: async ({ signal }) => (await trpcClient.documents.versions.query({ id }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** One earlier version, which never changes. */
export function versionQuery(id: string, versionId: string) {
  return queryOptions({
    queryKey: ["documents", "version", id, versionId],
    queryFn: async ({ signal }) => (await trpcClient.documents.version.query({ id, versionId }, { signal })).data,
    staleTime: Infinity,
  });
}

/** How far the documents are in step with the files; asked for often while they are not. */
export const mirrorStatusQuery = queryOptions({
  // Beside "documents": each document that is recorded would begin it anew, and it would never come to an end.
  queryKey: ["vault", "mirror"],
  queryFn: async ({ signal }) => (await trpcClient.documents.mirrorStatus.query(undefined, { signal })).data,
  refetchInterval: ({ state: { data } }) =>
    data === undefined || data.progress !== null || data.unindexed > 0 ? MIRROR_BUSY_INTERVAL_MS : MIRROR_INTERVAL_MS,
  staleTime: 0,
});

/** A document's whole file, frontmatter included. */
export function fileTextQuery({ path, contentHash }: Document) {
  return queryOptions({
    queryKey: ["documents", "file-text", path, contentHash],
    queryFn: async ({ signal }) => (await trpcClient.fs.read.query({ path: `/${path}` }, { signal })).data.content,
    staleTime: Infinity,
  });
}
