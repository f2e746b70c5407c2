import type { ObjectStore } from "./object-store.ts";
import { type RawPath, joinRaw } from "./raw-path.ts";
import { type TreeEntry, decodeTree, isDirectory } from "./tree.ts";

/** What is at a path: its type and permissions, and its content unless it is a directory. */
export interface Item {
  readonly mode: number;
  readonly id: string;
}

/** A path at which two trees differ. Undefined is nothing. */
export interface Change {
  readonly path: RawPath;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/**
 * Everything that differs between two trees, a directory before what is in it. A directory by itself differs if it is new, gone,
 * or has other permissions.
 */
export function compareTrees(store: ObjectStore, before: string | undefined, after: string): readonly Change[] {
  const changes: Change[] = [];
  const entriesOf = (id: string | undefined): ReadonlyMap<RawPath, TreeEntry> =>
    new Map(id === undefined ? [] : decodeTree(store.read(id).content).map((entry) => [entry.name, entry]));
  const compare = (directory: RawPath, one: string | undefined, other: string | undefined): void => {
    if (one === other) return;
    const old = entriesOf(one);
    const fresh = entriesOf(other);
    for (const name of [...new Set([...old.keys(), ...fresh.keys()])].toSorted()) {
      const path = joinRaw(directory, name);
      const [from, to] = [old.get(name), fresh.get(name)];
      if (!isSameItem(from, to)) changes.push({ path, before: from, after: to });
      compare(path, treeOf(from), treeOf(to));
    }
  };
  compare("", before, after);
  return changes;
}

/** The contents of directories are compared separately. */
export function isSameItem(one: Item | undefined, other: Item | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.mode === other.mode && (one.id === other.id || isDirectory(one.mode));
}

/** What a tree has at a path. */
export function itemAt(store: ObjectStore, tree: string, path: RawPath): Item | undefined {
  let item: Item | undefined = { mode: 0o040000, id: tree };
  for (const name of path.split("/")) {
    if (item === undefined || !isDirectory(item.mode)) return undefined;
    item = decodeTree(store.read(item.id).content).find((entry) => entry.name === name);
  }
  return item;
}

function treeOf(entry: TreeEntry | undefined): string | undefined {
  return entry !== undefined && isDirectory(entry.mode) ? entry.id : undefined;
}
