import { syntaxTree } from "@codemirror/language";
import { Prec, StateEffect, StateField, type EditorState, type Range, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, keymap, WidgetType, type Command, type DecorationSet } from "@codemirror/view";
import { renderNote } from "../markdown-html.ts";
import { noteContext, type NoteContext } from "./note-context.ts";

/** A table as it is read, in the place of its source. A click on a row leads to that row's source. */
class TableView extends WidgetType {
  readonly source: string;
  readonly context: NoteContext;

  constructor(source: string, context: NoteContext) {
    super();
    this.source = source;
    this.context = context;
  }

  override eq(other: TableView): boolean {
    return other.source === this.source && other.context === this.context;
  }

  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement("div");
    frame.className = "prose cm-table";
    frame.append(renderNote(this.source, this.context));
    frame.addEventListener("load", () => view.requestMeasure(), true);
    frame.addEventListener("mousedown", (event) => {
      const { target } = event;
      if (event.button !== 0 || !(target instanceof Element) || target.closest("a") !== null) return;
      event.preventDefault();
      const rows = [...frame.querySelectorAll("tr")];
      const index = Math.max(
        rows.findIndex((row) => row.contains(target)),
        0,
      );
      editRow(view, view.posAtDOM(frame), index);
    });
    return frame;
  }

  /** The mouse is followed here, and a click on a link by the editor. */
  override ignoreEvent(event: Event): boolean {
    return event.type === "mousedown";
  }
}

function editRow(view: EditorView, from: number, index: number): void {
  const { doc } = view.state;
  // The second line of the source is the one of dashes.
  const number = doc.lineAt(from).number + (index === 0 ? 0 : index + 1);
  view.dispatch({ selection: { anchor: doc.line(Math.min(number, doc.lines)).to } });
  view.focus();
}

interface Tables {
  readonly isFocused: boolean;
  readonly decorations: DecorationSet;
}

const focusChange = StateEffect.define<boolean>();

const tables = StateField.define<Tables>({
  create: (state) => ({ isFocused: false, decorations: decorate(state, false) }),
  update(value, transaction) {
    let { isFocused } = value;
    for (const effect of transaction.effects) if (effect.is(focusChange)) isFocused = effect.value;
    if (isFocused === value.isFocused && !isOther(transaction)) return value;
    return { isFocused, decorations: decorate(transaction.state, isFocused) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

/** Up and down step into a table instead of over it. */
function stepIntoTable(step: 1 | -1): Command {
  return (view) => {
    const { state } = view;
    const { doc, selection } = state;
    const { head, empty } = selection.main;
    const line = doc.lineAt(head);
    const next = line.number + step;
    const isLeaving = doc.lineAt(view.moveVertically(selection.main, step > 0).head).number !== line.number;
    if (!empty || !isLeaving || next < 1 || next > doc.lines) return false;
    const { from, to } = doc.line(next);
    const table = state.field(tables).decorations.iter(from);
    const isTable = table.value !== null && table.from <= to;
    if (isTable) view.dispatch({ selection: { anchor: Math.min(from + head - line.from, to) }, scrollIntoView: true });
    return isTable;
  };
}

/** Shows tables as tables, except the one that the caret is in, which shows its source. */
export const tablePreview = [
  tables,
  EditorView.focusChangeEffect.of((_, isFocused) => focusChange.of(isFocused)),
  Prec.high(
    keymap.of([
      { key: "ArrowDown", run: stepIntoTable(1) },
      { key: "ArrowUp", run: stepIntoTable(-1) },
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
  const context = state.facet(noteContext);
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    if (node.name !== "Table") continue;
    const { from } = state.doc.lineAt(node.from);
    const { to } = state.doc.lineAt(node.to);
    if (isFocused && state.selection.ranges.some((range) => range.from <= to && range.to >= from)) continue;
    const widget = new TableView(state.sliceDoc(from, to), context);
    found.push(Decoration.replace({ widget, block: true }).range(from, to));
  }
  return Decoration.set(found);
}
