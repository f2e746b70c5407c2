import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Collection } from "../../api/collection.ts";
import { onForget } from "../../api/forget.ts";
import { toRequestError } from "../../api/request-error.ts";
import { sessionQuery } from "../../api/session.ts";
import { queryClient } from "../../api/query-client.ts";
import { trpcClient } from "../../api/trpc.ts";
import { useCollection } from "../../api/use-collection.ts";
import type { ApiKey, CreatedApiKey, NewApiKey } from "./api-key.ts";

/** Every key, without what opens anything. */
const apiKeyCollection = new Collection<ApiKey>(
  (a, b) => a.lastUsedAt === b.lastUsedAt && a.expiresAt === b.expiresAt && a.name === b.name,
);
onForget(() => apiKeyCollection.clear());

const apiKeysQuery = queryOptions({
  queryKey: ["apiKeys", "all"],
  queryFn: async ({ signal }) => {
    const ticket = apiKeyCollection.startRead();
    const { data } = await trpcClient.apiKeys.list.query({}, { signal });
    const seen = new Set(data.map((key) => key.id));
    apiKeyCollection.merge(data, ticket);
    apiKeyCollection.prune((key) => !seen.has(key.id), ticket);
    return { count: data.length };
  },
});

export interface ApiKeysState {
  /** Newest first. */
  readonly keys: readonly ApiKey[];
  readonly isLoading: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

export function useApiKeys(): ApiKeysState {
  const { isPending, error, refetch } = useQuery(apiKeysQuery);
  const rows = useCollection(apiKeyCollection);
  const keys = useMemo(() => [...rows.values()].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)), [rows]);
  const isEmpty = rows.size === 0;
  return { keys, isLoading: isPending && isEmpty, error: isEmpty ? error : null, retry: () => void refetch() };
}

/** Makes a key; its answer is the only one that ever holds it. Rejects with a RequestError. */
export async function createApiKey(input: NewApiKey): Promise<CreatedApiKey> {
  try {
    const { data } = await trpcClient.apiKeys.create.mutate(input);
    const { key: _shownOnce, ...row } = data;
    const user = queryClient.getQueryData(sessionQuery.queryKey);
    const creator = { id: user?.id ?? "", name: user?.name ?? "" };
    apiKeyCollection.merge([{ ...row, lastUsedAt: null, creator }], apiKeyCollection.startRead());
    return data;
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Revokes a key, at once and for good. Rejects with a RequestError. */
export async function revokeApiKey({ id }: ApiKey): Promise<void> {
  const pending = apiKeyCollection.begin({ rowId: id, apply: () => undefined });
  try {
    await trpcClient.apiKeys.revoke.mutate({ id });
    apiKeyCollection.prune((key) => key.id === id, apiKeyCollection.startRead());
  } catch (error) {
    throw toRequestError(error);
  } finally {
    pending.rollback();
  }
}
