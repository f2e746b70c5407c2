import { collectionQuery, useRows, type RowsState } from "../../api/collection-query.ts";
import type { Client } from "../../client/client.ts";
import { clientPart } from "../../client/client-part.ts";
import { Store, useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";
import { viewCollection } from "./view-rows.ts";
import type { View } from "./view.ts";

/** The ids of the views in their order, as the server has it. */
const viewOrder = clientPart(() => new Store<readonly string[]>([]));

/** Loads the views into {@link viewCollection}. */
export function viewsQuery(client: Client) {
  return collectionQuery(viewCollection(client), {
    queryKey: ["views", "active"],
    read: async function* (signal) {
      const { data } = await client.api.taskViews.list.query({}, { signal });
      setViewOrder(
        client,
        data.map(({ id }) => id),
      );
      yield data;
    },
    belongs: (view) => view.deletedAt === null,
  });
}

/** Loads the deleted views into {@link viewCollection}. */
export function deletedViewsQuery(client: Client) {
  return collectionQuery(viewCollection(client), {
    queryKey: ["views", "deleted"],
    read: async function* (signal) {
      yield (await client.api.taskViews.list.query({ includeDeleted: true }, { signal })).data;
    },
    belongs: (view) => view.deletedAt !== null,
  });
}

export function setViewOrder(client: Client, ids: readonly string[]): void {
  viewOrder(client).set(ids);
}

/** All views that are not deleted, in the order that people have given them; new ones last. */
export function useViews(): RowsState<View> {
  const client = useClient();
  const order = useStore(viewOrder(client));
  const state = useRows(viewsQuery(client), viewCollection(client), active);
  const place = new Map(order.map((id, index) => [id, index]));
  const placeOf = (view: View) => place.get(view.id) ?? order.length;
  return { ...state, rows: state.rows.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}

function active(views: Iterable<View>): View[] {
  return [...views].filter((view) => view.deletedAt === null).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}
