import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Outputs } from "../../../api/api.ts";
import type { Client } from "../../../client/client.ts";
import type { Document } from "../document.ts";

export type Graph = Outputs["documents"]["graph"]["data"];

/** What is linked around a document. */
export function graphQuery(client: Client, { id, contentHash }: Document, depth: number) {
  return queryOptions({
    queryKey: ["documents", "graph", id, depth, contentHash],
    queryFn: async ({ signal }) => (await client.api.documents.graph.query({ id, depth }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** A node with those that it is linked with. */
export function neighboursOf({ edges }: Graph, id: string): ReadonlySet<string> {
  return new Set([id, ...edges.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : []))]);
}
