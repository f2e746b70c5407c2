import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

const CODE = new Set(["InlineCode", "FencedCode", "CodeBlock", "HTMLBlock", "CommentBlock", "InlineMath", "MathBlock"]);

/** Whether a position is in code or in a formula, where nothing else is Markdown. */
export function isInCode(state: EditorState, position: number): boolean {
  for (let node = syntaxTree(state).resolveInner(position, 1); ;) {
    if (CODE.has(node.name)) return true;
    if (node.parent === null) return false;
    node = node.parent;
  }
}
