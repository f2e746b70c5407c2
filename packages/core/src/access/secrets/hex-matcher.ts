import { advance, type PatternNode, type TreePosition } from "./pattern-tree.ts";
import { recordMatch, type Scan } from "./scan.ts";
import { hexDigit } from "./text-escapes.ts";

/** What reading one byte costs, in steps of the budget. */
const BYTE_COST = 2;

/** Finds the longest value in hexadecimal that starts at a position, and records it in the scan. The tree is of bytes. */
export function createHexMatcher(root: PatternNode, scan: Scan): (text: string, start: number) => void {
  const { finding } = scan;
  const position: TreePosition = { node: root, offset: 0 };

  return (text, start) => {
    position.node = root;
    position.offset = 0;
    for (let at = start; ; at += 2) {
      const { node, offset } = position;
      scan.budget -= BYTE_COST;
      if (at + 1 >= text.length) {
        finding.isPartial ||= at >= text.length || canContinue(node, offset, hexDigit(text.charCodeAt(at)));
        return;
      }
      const [high, low] = [hexDigit(text.charCodeAt(at)), hexDigit(text.charCodeAt(at + 1))];
      if (high < 0 || low < 0 || !advance(node, offset, high * 16 + low, position)) return;
      if (position.offset < position.node.label.length) continue;
      recordMatch(scan, at + 2, position.node);
      if (position.node.children.size === 0) return;
    }
  };
}

/** Whether a byte with this first digit may come next. */
function canContinue(node: PatternNode, offset: number, highDigit: number): boolean {
  if (offset < node.label.length) return node.label.charCodeAt(offset) >> 4 === highDigit;
  return [...node.children.keys()].some((byte) => byte >> 4 === highDigit);
}
