import type { PatternNode } from "./pattern-tree.ts";

/** A place in the text, and how far it has led into a tree of patterns. */
export interface ScanState {
  node: PatternNode;
  /** How much of the node's label is read. */
  offset: number;
  at: number;
}

/** Different states, in objects that are reused, because there are millions of them in a long text. */
export interface ScanStates {
  readonly items: readonly ScanState[];
  /** How many of the items count. */
  count: number;
  add(node: PatternNode, offset: number, at: number): void;
}

export function createScanStates(): ScanStates {
  const items: ScanState[] = [];
  const states: ScanStates = {
    items,
    count: 0,
    add(node, offset, at) {
      for (let index = 0; index < states.count; index += 1) {
        const known = items[index];
        if (known?.at === at && known.node === node && known.offset === offset) return;
      }
      const free = items[states.count];
      if (free === undefined) items.push({ node, offset, at });
      else {
        free.node = node;
        free.offset = offset;
        free.at = at;
      }
      states.count += 1;
    },
  };
  return states;
}
