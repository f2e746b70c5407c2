import type { ResourceChange } from "./resource-changes.ts";

const KEPT = 20;

/** The list with one more change, latest first. What is done to one thing again and again is there once. */
export function addToActivity(list: readonly ResourceChange[], change: ResourceChange): readonly ResourceChange[] {
  // Every call of a model is one; what called it says more.
  if (change.resource === "usage") return list;
  const others = list.filter(({ resource, resourceId, action }) => {
    // Hook events are all different, and all one story.
    const isSameThing = change.resource === "hook" || resourceId === change.resourceId;
    return !(resource === change.resource && action === change.action && isSameThing);
  });
  return [change, ...others].slice(0, KEPT);
}
