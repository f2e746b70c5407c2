import { useSyncExternalStore } from "react";
import type { Collection, Row } from "./collection.ts";

/** The rows by id; re-renders when any of them changes. */
export function useCollection<R extends Row>(collection: Collection<R>): ReadonlyMap<string, R> {
  return useSyncExternalStore(collection.subscribe, collection.getSnapshot);
}

/** One row; undefined while it is not loaded. */
export function useRow<R extends Row>(collection: Collection<R>, id: string): R | undefined {
  return useSyncExternalStore(collection.subscribe, () => collection.get(id));
}
