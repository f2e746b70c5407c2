/** A text to find, and what replaces it. */
export type Pattern = readonly [text: string, placeholder: string];

/** A node of a radix tree, which finds many texts at once. */
export interface PatternNode {
  readonly label: string;
  /** What replaces the text that ends here; null if none does. */
  readonly placeholder: string | null;
  /** By the first code unit of their labels. */
  readonly children: ReadonlyMap<number, PatternNode>;
}

/** A position in a tree: a node, and how much of its label has been matched. */
export interface TreePosition {
  node: PatternNode;
  offset: number;
}

interface GrowingNode extends PatternNode {
  label: string;
  placeholder: string | null;
  children: Map<number, GrowingNode>;
}

/** Shared by all leaves, which most nodes are. */
const NO_CHILDREN = new Map<number, GrowingNode>();

/** Builds the tree of some patterns. Of two with the same text, the later one wins. */
export function createPatternTree(patterns: Iterable<Pattern>): PatternNode {
  const root: GrowingNode = { label: "", placeholder: null, children: new Map() };
  for (const [text, placeholder] of patterns) insert(root, text, placeholder);
  return root;
}

/**
 * Moves on by one code unit and stores the position in `to`, which is reused because a long text has millions of positions.
 * Returns false, with `to` undefined, if no pattern continues with the unit.
 */
export function advance(node: PatternNode, offset: number, unit: number, to: TreePosition): boolean {
  if (offset < node.label.length) {
    to.node = node;
    to.offset = offset + 1;
    return node.label.charCodeAt(offset) === unit;
  }
  const child = node.children.get(unit);
  if (child === undefined) return false;
  to.node = child;
  to.offset = 1;
  return true;
}

function insert(root: GrowingNode, text: string, placeholder: string): void {
  let node = root;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const child = node.children.get(code);
    if (child === undefined) {
      if (node.children === NO_CHILDREN) node.children = new Map();
      node.children.set(code, { label: text.slice(at), placeholder, children: NO_CHILDREN });
      return;
    }
    const shared = sharedLength(child.label, text, at);
    node = shared === child.label.length ? child : split(node, child, shared);
    at += shared;
  }
  node.placeholder = placeholder;
}

/** Inserts a node in the middle of a child's label and returns it. */
function split(parent: GrowingNode, child: GrowingNode, at: number): GrowingNode {
  const middle: GrowingNode = { label: child.label.slice(0, at), placeholder: null, children: new Map() };
  child.label = child.label.slice(at);
  middle.children.set(child.label.charCodeAt(0), child);
  parent.children.set(middle.label.charCodeAt(0), middle);
  return middle;
}

function sharedLength(label: string, text: string, from: number): number {
  const most = Math.min(label.length, text.length - from);
  let length = 0;
  while (length < most && label.charCodeAt(length) === text.charCodeAt(from + length)) length += 1;
  return length;
}
