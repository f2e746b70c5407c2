import { syntaxTree } from "@codemirror/language";
import { Prec, StateEffect, StateField, type EditorState, type Range, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, keymap, type Command, type DecorationSet, type WidgetType } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { noteContext } from "./note-context.ts";
import { QueryView } from "./query-view.ts";
import { RenderedBlock } from "./rendered-block.ts";
import { TableView } from "./table-view.ts";

/** Longer blocks are shown as their source. */
const MAX_BLOCK = 64 * 1024;
const MAX_QUERY = 8_000;
/** The languages of fenced code that is shown as something else. */
const RENDERED_CODE = /^(?:math|mermaid)\b/i;
const QUERY_CODE = /^query$/i;

interface Blocks {
  readonly isFocused: boolean;
  readonly decorations: DecorationSet;
}

const focusChange = StateEffect.define<boolean>();

const blocks = StateField.define<Blocks>({
  create: (state) => ({ isFocused: false, decorations: decorate(state, false) }),
  update(value, transaction) {
    let { isFocused } = value;
    for (const effect of transaction.effects) if (effect.is(focusChange)) isFocused = effect.value;
    if (isFocused === value.isFocused && !isOther(transaction)) return value;
    return { isFocused, decorations: decorate(transaction.state, isFocused) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

/** The up and down keys move into the source of a block instead of over it. */
function stepIntoBlock(step: 1 | -1): Command {
  return (view) => {
    const { state } = view;
    const { doc, selection } = state;
    const { head, empty } = selection.main;
    const line = doc.lineAt(head);
    const next = line.number + step;
    const isLeaving = doc.lineAt(view.moveVertically(selection.main, step > 0).head).number !== line.number;
    if (!empty || !isLeaving || next < 1 || next > doc.lines) return false;
    const { from, to } = doc.line(next);
    const block = state.field(blocks).decorations.iter(from);
    const isBlock = block.value !== null && block.from <= to;
    if (isBlock) view.dispatch({ selection: { anchor: Math.min(from + head - line.from, to) }, scrollIntoView: true });
    return isBlock;
  };
}

/** Renders tables, formulas, diagrams and queries, except the one with the caret, which shows its source. */
export const blockPreview = [
  blocks,
  EditorView.focusChangeEffect.of((_, isFocused) => focusChange.of(isFocused)),
  Prec.high(
    keymap.of([
      { key: "ArrowDown", run: stepIntoBlock(1) },
      { key: "ArrowUp", run: stepIntoBlock(-1) },
    ]),
  ),
];

function isOther({ docChanged, selection, startState, state }: Transaction): boolean {
  return (
    docChanged ||
    selection !== undefined ||
    syntaxTree(startState) !== syntaxTree(state) ||
    startState.facet(noteContext) !== state.facet(noteContext)
  );
}

function decorate(state: EditorState, isFocused: boolean): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    const createWidget = rendererOf(state, node);
    if (createWidget === null) continue;
    const { from } = state.doc.lineAt(node.from);
    const { to } = state.doc.lineAt(node.to);
    if (isFocused && state.selection.ranges.some((range) => range.from <= to && range.to >= from)) continue;
    found.push(Decoration.replace({ widget: createWidget(state.sliceDoc(from, to)), block: true }).range(from, to));
  }
  return Decoration.set(found);
}

/** Creates what is shown instead of the source of a block; null if the source is shown. */
function rendererOf(state: EditorState, node: SyntaxNode): ((source: string) => WidgetType) | null {
  const length = node.to - node.from;
  if (length > MAX_BLOCK) return null;
  const context = state.facet(noteContext);
  if (node.name === "Table") return (source) => new TableView(source, context);
  const renderBlock = (source: string): WidgetType => new RenderedBlock(source, context);
  if (node.name === "MathBlock") return renderBlock;
  const info = node.name === "FencedCode" ? node.getChild("CodeInfo") : null;
  if (info === null) return null;
  const language = state.sliceDoc(info.from, info.to).trim();
  if (QUERY_CODE.test(language) && length <= MAX_QUERY) {
    const text = node.getChild("CodeText");
    return () => new QueryView(text === null ? "" : state.sliceDoc(text.from, text.to));
  }
  const isClosed = node.getChildren("CodeMark").length > 1;
  return isClosed && RENDERED_CODE.test(language) ? renderBlock : null;
}
