import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

const NO_TEXT = new Set([
  "FencedCode",
  "CodeBlock",
  "InlineCode",
  "CodeText",
  "HTMLBlock",
  "Comment",
  "CommentBlock",
  "URL",
  "Link",
]);
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** So many lines before a position are looked at for an open code fence. */
const MAX_LINES = 400;

/** Whether a position is in code, or in what is no text for other reasons. */
export function isInCode(state: EditorState, position: number): boolean {
  for (let node = syntaxTree(state).resolveInner(position, -1); ; node = node.parent) {
    if (NO_TEXT.has(node.name)) return true;
    if (node.parent === null) break;
  }
  return isInOpenFence(state, position);
}

/** The syntax tree may not reach as far yet. */
function isInOpenFence({ doc }: EditorState, position: number): boolean {
  const last = doc.lineAt(position).number;
  let fence: string | null = null;
  for (let number = Math.max(1, last - MAX_LINES); number < last; number += 1) {
    const mark = FENCE.exec(doc.line(number).text.slice(0, 100))?.[1];
    if (mark === undefined) continue;
    if (fence === null) fence = mark;
    else if (mark.startsWith(fence)) fence = null;
  }
  return fence !== null;
}
