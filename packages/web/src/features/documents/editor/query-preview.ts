import { syntaxTree } from "@codemirror/language";
import { StateEffect, StateField, type EditorState, type Range, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import { createQueryElement } from "../queries/query-element.ts";

const LANGUAGE = "query";
const MAX_SOURCE = 8_000;

/** The result of a query, in place of its source. A click beside what is in it moves the caret into the source. */
class QueryView extends WidgetType {
  readonly source: string;

  constructor(source: string) {
    super();
    this.source = source;
  }

  override eq(other: QueryView): boolean {
    return other.source === this.source;
  }

  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement("div");
    frame.className = "prose cm-query";
    frame.append(createQueryElement(this.source));
    const resized = new ResizeObserver(() => view.requestMeasure());
    resized.observe(frame);
    observers.set(frame, resized);
    frame.addEventListener("mousedown", (event) => {
      const { target } = event;
      if (event.button !== 0 || !(target instanceof Element) || target.closest("a, input") !== null) return;
      event.preventDefault();
      const line = view.state.doc.lineAt(view.posAtDOM(frame));
      view.dispatch({ selection: { anchor: Math.min(line.to + 1, view.state.doc.length) } });
      view.focus();
    });
    return frame;
  }

  override destroy(frame: HTMLElement): void {
    observers.get(frame)?.disconnect();
  }

  /** What is in the result handles its own events. */
  override ignoreEvent(): boolean {
    return true;
  }
}

const observers = new WeakMap<HTMLElement, ResizeObserver>();

interface Queries {
  readonly isFocused: boolean;
  readonly decorations: DecorationSet;
}

const focusChange = StateEffect.define<boolean>();

const queries = StateField.define<Queries>({
  create: (state) => ({ isFocused: false, decorations: decorate(state, false) }),
  update(value, transaction) {
    let { isFocused } = value;
    for (const effect of transaction.effects) if (effect.is(focusChange)) isFocused = effect.value;
    if (isFocused === value.isFocused && !isOther(transaction)) return value;
    return { isFocused, decorations: decorate(transaction.state, isFocused) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

/** Shows the results of queries, except of the one with the caret, which shows its source. */
export const queryPreview = [queries, EditorView.focusChangeEffect.of((_, isFocused) => focusChange.of(isFocused))];

function isOther({ docChanged, selection, startState, state }: Transaction): boolean {
  return docChanged || selection !== undefined || syntaxTree(startState) !== syntaxTree(state);
}

function decorate(state: EditorState, isFocused: boolean): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    if (node.name !== "FencedCode" || node.to - node.from > MAX_SOURCE) continue;
    const info = node.getChild("CodeInfo");
    if (info === null || state.sliceDoc(info.from, info.to).trim().toLowerCase() !== LANGUAGE) continue;
    const { from } = state.doc.lineAt(node.from);
    const { to } = state.doc.lineAt(node.to);
    if (isFocused && state.selection.ranges.some((range) => range.from <= to && range.to >= from)) continue;
    const text = node.getChild("CodeText");
    const widget = new QueryView(text === null ? "" : state.sliceDoc(text.from, text.to));
    found.push(Decoration.replace({ widget, block: true }).range(from, to));
  }
  return Decoration.set(found);
}
