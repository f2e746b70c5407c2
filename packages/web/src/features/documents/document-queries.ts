import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { trpcClient } from "../../api/trpc.ts";
import type { Document } from "./document.ts";

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

/** A document's whole file, frontmatter included. */
export function fileTextQuery({ path, contentHash }: Document) {
  return queryOptions({
    queryKey: ["documents", "file-text", path, contentHash],
    queryFn: async ({ signal }) => (await trpcClient.fs.read.query({ path: `/${path}` }, { signal })).data.content,
    staleTime: Infinity,
  });
}
