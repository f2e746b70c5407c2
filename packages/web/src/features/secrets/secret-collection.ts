import { queryOptions } from "@tanstack/react-query";
import { collectionQuery, useRows, type RowsState } from "../../api/collection-query.ts";
import type { Client } from "../../client/client.ts";
import { collectionPart } from "../../client/collection-part.ts";
import { useClient } from "../../client/use-client.ts";
import type { Secret } from "./secret.ts";

/** Every secret, without its value: values are in the page only while they are shown. */
export const secretCollection = collectionPart<Secret>(
  (a, b) => a.updatedAt === b.updatedAt && a.description === b.description,
);

function secretsQuery(client: Client) {
  return collectionQuery(secretCollection(client), {
    queryKey: ["secrets", "all"],
    read: async function* (signal) {
      yield (await client.api.secrets.list.query({}, { signal })).data;
    },
  });
}

/** All secrets, sorted by name. */
export function useSecrets(): RowsState<Secret> {
  const client = useClient();
  return useRows(secretsQuery(client), secretCollection(client), byName);
}

function byName(secrets: Iterable<Secret>): Secret[] {
  return [...secrets].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

export function accessesKey(key: string): readonly string[] {
  return ["secrets", "accesses", key];
}

/** Who accessed a secret and how, newest first. */
export function accessesQuery(client: Client, key: string) {
  return queryOptions({
    queryKey: accessesKey(key),
    queryFn: async ({ signal }) => (await client.api.secrets.listAccesses.query({ key }, { signal })).data,
    staleTime: 0,
  });
}

export function grantsKey(key: string): readonly string[] {
  return ["secrets", "grants", key];
}

/** Which commands may use a secret, oldest first. */
export function grantsQuery(client: Client, key: string) {
  return queryOptions({
    queryKey: grantsKey(key),
    queryFn: async ({ signal }) => (await client.api.secrets.listGrants.query({ key }, { signal })).data,
  });
}
