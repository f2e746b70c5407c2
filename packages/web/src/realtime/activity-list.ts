import type { ResourceChange } from "../resources/resource-change.ts";

const MAX_ENTRIES = 20;

/** Adds a change to the list, newest first. Repeated changes to the same resource are listed once. */
export function addToActivity(list: readonly ResourceChange[], change: ResourceChange): readonly ResourceChange[] {
  // Every model call is a usage change; the change that caused the call is more informative.
  if (change.resource === "usage") return list;
  const others = list.filter(({ resource, resourceId, action }) => {
    // Hook events all have different ids, but are shown as one entry.
    const isSameResource = change.resource === "hook" || resourceId === change.resourceId;
    return !(resource === change.resource && action === change.action && isSameResource);
  });
  return [change, ...others].slice(0, MAX_ENTRIES);
}
