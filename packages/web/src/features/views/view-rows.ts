import { useRow } from "../../api/use-collection.ts";
import { collectionPart } from "../../client/collection-part.ts";
import { useClient } from "../../client/use-client.ts";
import type { View } from "./view.ts";

/** All views that the page has loaded, including deleted ones once they have been seen. */
export const viewCollection = collectionPart<View>(
  (a, b) => a.modifiedAt === b.modifiedAt && a.deletedAt === b.deletedAt,
);

/** A loaded view, deleted or not; undefined if it is not loaded. */
export function useView(id: string): View | undefined {
  const client = useClient();
  return useRow(viewCollection(client), id);
}
