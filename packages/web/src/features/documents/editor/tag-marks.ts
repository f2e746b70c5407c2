import { syntaxTree } from "@codemirror/language";
import { RangeSetBuilder, type EditorState } from "@codemirror/state";
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from "@codemirror/view";
import { isTagName, TAGS } from "../properties/tag-form.ts";

/** Longer lines are left as they are. */
const MAX_LINE = 4_000;
const NO_TAGS = new Set([
  "FencedCode",
  "CodeBlock",
  "InlineCode",
  "CodeText",
  "HTMLBlock",
  "CommentBlock",
  "Link",
  "URL",
  "Autolink",
]);

/** Marks the tags in the visible text. */
export const tagMarks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = visibleTags(view);
    }

    update(update: ViewUpdate): void {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || isParsed) this.decorations = visibleTags(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function visibleTags({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let done = 0;
  for (const { from, to } of visibleRanges) {
    for (let at = Math.max(from, done); at <= to;) {
      const line = state.doc.lineAt(at);
      if (line.length <= MAX_LINE && line.text.includes("#")) addTags(builder, state, line.from, line.text);
      at = line.to + 1;
      done = at;
    }
  }
  return builder.finish();
}

function addTags(builder: RangeSetBuilder<Decoration>, state: EditorState, start: number, text: string): void {
  for (const { 1: name = "", index } of text.matchAll(TAGS)) {
    const tag = name.replace(/\/$/, "");
    const from = start + index;
    if (!isTagName(tag) || isNoText(state, from + 1)) continue;
    builder.add(from, from + 1 + tag.length, Decoration.mark({ class: "cm-tag", attributes: { "data-tag": tag } }));
  }
}

function isNoText(state: EditorState, position: number): boolean {
  for (let node = syntaxTree(state).resolveInner(position, 1); node.parent !== null; node = node.parent) {
    if (NO_TAGS.has(node.name)) return true;
  }
  return false;
}
