import { MAX_LEVELS, MAX_TREE } from "../tasks/task-tree.queries.ts";

/** A task that may be a part of another. */
export interface TreeEntry {
  readonly id: string;
  /** The one that it is a part of, if it has one. */
  readonly parentId: string | null;
}

/** Where a task that exists already is. */
export interface ExistingParent {
  readonly level: number;
  readonly rootId: string;
  readonly tasksInTree: number;
}

/**
 * The parents that new tasks can have: none in a circle, no more levels and subtasks than tasks have. A parent that neither is new nor exists
 * does not count.
 */
export function parentsOf(
  entries: readonly TreeEntry[],
  existing: ReadonlyMap<string, ExistingParent>,
): ReadonlyMap<string, string> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const parents = new Map<string, string>();
  const places = new Map<string, { readonly level: number; readonly rootId: string }>(existing);
  const sizes = new Map([...existing.values()].map(({ rootId, tasksInTree }) => [rootId, tasksInTree]));
  for (const entry of entries) {
    // From the task up to one whose place is known.
    const path: TreeEntry[] = [];
    const onPath = new Set<string>();
    for (let at: TreeEntry | undefined = entry; at !== undefined && !places.has(at.id) && !onPath.has(at.id);) {
      path.push(at);
      onPath.add(at.id);
      at = at.parentId === null ? undefined : byId.get(at.parentId);
    }
    for (const { id, parentId } of path.toReversed()) {
      const above = parentId === null ? undefined : places.get(parentId);
      const size = sizes.get(above?.rootId ?? "") ?? 0;
      if (parentId === null || above === undefined || above.level >= MAX_LEVELS || size > MAX_TREE) {
        places.set(id, { level: 1, rootId: id });
        sizes.set(id, 1);
        continue;
      }
      parents.set(id, parentId);
      places.set(id, { level: above.level + 1, rootId: above.rootId });
      sizes.set(above.rootId, size + 1);
    }
  }
  return parents;
}
