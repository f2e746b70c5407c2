/**
 * A node of a radix tree: many texts that are looked for at once. A place in the tree is a node together with how much of
 * its label has been read.
 */
export interface PatternNode {
  readonly label: string;
  /** What stands for the text that ends here; null where none does. */
  readonly mark: string | null;
  /** By the first code unit of their labels. */
  readonly children: ReadonlyMap<number, PatternNode>;
}

interface GrowingNode extends PatternNode {
  label: string;
  mark: string | null;
  children: Map<number, GrowingNode>;
}

/** Most nodes are leaves, and stay so. */
const NO_CHILDREN = new Map<number, GrowingNode>();

/** The tree of some texts with their marks. Of equal texts the last one's mark counts. */
export function createPatternTree(patterns: Iterable<readonly [text: string, mark: string]>): PatternNode {
  const root: GrowingNode = { label: "", mark: null, children: new Map() };
  for (const [text, mark] of patterns) insert(root, text, mark);
  return root;
}

function insert(root: GrowingNode, text: string, mark: string): void {
  let node = root;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const child = node.children.get(code);
    if (child === undefined) {
      if (node.children === NO_CHILDREN) node.children = new Map();
      node.children.set(code, { label: text.slice(at), mark, children: NO_CHILDREN });
      return;
    }
    const shared = sharedLength(child.label, text, at);
    node = shared === child.label.length ? child : split(node, child, shared);
    at += shared;
  }
  node.mark = mark;
}

/** Puts a node in the middle of a child's label, and answers it. */
function split(parent: GrowingNode, child: GrowingNode, at: number): GrowingNode {
  const middle: GrowingNode = { label: child.label.slice(0, at), mark: null, children: new Map() };
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
