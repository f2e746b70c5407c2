import { collectionQuery, useRows, type RowsState } from "../../api/collection-query.ts";
import { toRequestError } from "../../api/request-error.ts";
import { sessionQuery } from "../../api/session.ts";
import type { Client } from "../../client/client.ts";
import { collectionPart } from "../../client/collection-part.ts";
import { useClient } from "../../client/use-client.ts";
import type { ApiKey, CreatedApiKey, NewApiKey } from "./api-key.ts";

/** All keys, without their secret values. */
const apiKeyCollection = collectionPart<ApiKey>(
  (a, b) => a.lastUsedAt === b.lastUsedAt && a.expiresAt === b.expiresAt && a.name === b.name,
);

function apiKeysQuery(client: Client) {
  return collectionQuery(apiKeyCollection(client), {
    queryKey: ["apiKeys", "all"],
    read: async function* (signal) {
      yield (await client.api.apiKeys.list.query({}, { signal })).data;
    },
  });
}

/** All keys, newest first. */
export function useApiKeys(): RowsState<ApiKey> {
  const client = useClient();
  return useRows(apiKeysQuery(client), apiKeyCollection(client), newestFirst);
}

function newestFirst(keys: Iterable<ApiKey>): ApiKey[] {
  return [...keys].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

/** Creates a key; only this response ever contains its value. Rejects with a RequestError. */
export async function createApiKey(client: Client, input: NewApiKey): Promise<CreatedApiKey> {
  try {
    const { data } = await client.api.apiKeys.create.mutate(input);
    const { key: _shownOnce, ...row } = data;
    const user = client.queries.getQueryData(sessionQuery(client).queryKey);
    const creator = { id: user?.id ?? "", name: user?.name ?? "" };
    apiKeyCollection(client).put([{ ...row, lastUsedAt: null, creator }]);
    return data;
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Revokes a key immediately and permanently. Rejects with a RequestError. */
export async function revokeApiKey(client: Client, { id }: ApiKey): Promise<void> {
  const pending = apiKeyCollection(client).begin({ rowId: id, apply: () => undefined });
  try {
    await client.api.apiKeys.revoke.mutate({ id });
    apiKeyCollection(client).drop([id]);
  } catch (error) {
    throw toRequestError(error);
  } finally {
    pending.rollback();
  }
}
