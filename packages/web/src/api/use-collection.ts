import { useSyncExternalStore } from "react";
import type { Collection, Row } from "./collection.ts";

/** The rows by id, rendered anew when any of them changes. */
export function useCollection<R extends Row>(collection: Collection<R>): ReadonlyMap<string, R> {
  return useSyncExternalStore(collection.subscribe, collection.getSnapshot);
}
