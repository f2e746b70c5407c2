import type { PatternNode, TreePosition } from "./pattern-tree.ts";

/** How far one reading of a text has come, in the text and in a tree of patterns. */
export interface ScanState extends TreePosition {
  at: number;
}

/** A set of states. Its objects are reused, because a long text has millions of states. */
export interface ScanStates {
  readonly items: readonly ScanState[];
  /** How many of the items are in use. */
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
