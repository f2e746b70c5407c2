import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Collection } from "../../api/collection.ts";
import { onForget } from "../../api/forget.ts";
import { trpcClient } from "../../api/trpc.ts";
import { useCollection } from "../../api/use-collection.ts";
import type { Secret } from "./secret.ts";

/** Every secret, without its value: values are in the page only while they are shown. */
export const secretCollection = new Collection<Secret>(
  (a, b) => a.updatedAt === b.updatedAt && a.description === b.description,
);
onForget(() => secretCollection.clear());

const secretsQuery = queryOptions({
  queryKey: ["secrets", "all"],
  queryFn: async ({ signal }) => {
    const ticket = secretCollection.startRead();
    const { data } = await trpcClient.secrets.list.query({}, { signal });
    const seen = new Set(data.map((secret) => secret.id));
    secretCollection.merge(data, ticket);
    secretCollection.prune((secret) => !seen.has(secret.id), ticket);
    return { count: data.length };
  },
});

export interface SecretsState {
  /** By name. */
  readonly secrets: readonly Secret[];
  readonly isLoading: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

export function useSecrets(): SecretsState {
  const { isPending, error, refetch } = useQuery(secretsQuery);
  const rows = useCollection(secretCollection);
  const secrets = useMemo(() => [...rows.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)), [rows]);
  const isEmpty = rows.size === 0;
  return { secrets, isLoading: isPending && isEmpty, error: isEmpty ? error : null, retry: () => void refetch() };
}

export function accessesKey(key: string): readonly string[] {
  return ["secrets", "accesses", key];
}

/** Who did what with a secret, latest first. */
export function accessesQuery(key: string) {
  return queryOptions({
    queryKey: accessesKey(key),
    queryFn: async ({ signal }) => (await trpcClient.secrets.listAccesses.query({ key }, { signal })).data,
    staleTime: 0,
  });
}
