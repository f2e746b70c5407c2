import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Inputs, Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { toasts } from "../../components/toast.ts";

export type Shelf = Outputs["shelf"]["get"]["data"];
export type ShelfItem = Shelf["recent"][number];
/** What identifies an item. */
export type ShelfKey = Inputs["shelf"]["open"];

const STALE_AFTER_MS = 10_000;

/** What the person keeps at hand and has opened last, on any device. */
export function shelfQuery(client: Client) {
  return queryOptions({
    queryKey: ["shelf"],
    queryFn: async ({ signal }) => (await client.api.shelf.get.query(undefined, { signal })).data,
    staleTime: STALE_AFTER_MS,
  });
}

/** The shelf; undefined until it is loaded. */
export function useShelf(): Shelf | undefined {
  return useQuery(shelfQuery(useClient())).data;
}

export function isSameItem(one: ShelfKey, other: ShelfKey): boolean {
  return one.kind === other.kind && one.id === other.id;
}

/** Remembers that something was opened. A failure only means that it is missing from the list. */
export async function recordOpened(client: Client, item: ShelfKey): Promise<void> {
  try {
    await client.api.shelf.open.mutate(item);
    await client.queries.invalidateQueries({ queryKey: shelfQuery(client).queryKey });
  } catch {
    // It may have been deleted, or the server cannot be reached.
  }
}

/** Makes something a favourite, or moves it before another one; without `before`, to the end. Shown immediately. */
export function putFavourite(client: Client, item: ShelfItem, before?: ShelfKey): Promise<void> {
  const move = (favourites: readonly ShelfItem[]) => {
    const others = favourites.filter((other) => !isSameItem(other, item));
    const place = before === undefined ? -1 : others.findIndex((other) => isSameItem(other, before));
    return others.toSpliced(place === -1 ? others.length : place, 0, item);
  };
  const { kind, id } = item;
  const input = { kind, id, ...(before !== undefined && { before: { kind: before.kind, id: before.id } }) };
  return change(client, move, () => client.api.shelf.addFavourite.mutate(input));
}

export function removeFavourite(client: Client, { kind, id }: ShelfKey): Promise<void> {
  const remove = (favourites: readonly ShelfItem[]) => favourites.filter((other) => !isSameItem(other, { kind, id }));
  return change(client, remove, () => client.api.shelf.removeFavourite.mutate({ kind, id }));
}

async function change(
  client: Client,
  apply: (favourites: readonly ShelfItem[]) => readonly ShelfItem[],
  send: () => Promise<{ data: Shelf }>,
): Promise<void> {
  const { queryKey } = shelfQuery(client);
  await client.queries.cancelQueries({ queryKey });
  const before = client.queries.getQueryData(queryKey);
  if (before !== undefined)
    client.queries.setQueryData(queryKey, { ...before, favourites: [...apply(before.favourites)] });
  try {
    client.queries.setQueryData(queryKey, (await send()).data);
  } catch (error) {
    client.queries.setQueryData(queryKey, before);
    const detail = toRequestError(error).message;
    toasts(client).show({ message: "The favourites could not be changed", detail, tone: "danger" });
  }
}
