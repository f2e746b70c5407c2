import { syntaxTree } from "@codemirror/language";
import { Prec, StateEffect, StateField, type EditorState, type Range, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, keymap, WidgetType, type Command, type DecorationSet } from "@codemirror/view";
import { createNoteView } from "../reading/note-view.ts";
import { noteContext, type NoteContext } from "./note-context.ts";
import { runInSlices } from "./run-in-slices.ts";

/** Longer tables are shown as their source. */
const MAX_TABLE = 64 * 1024;
const ROW_PX = 33;

/** A rendered table, in place of its source. A click on a row moves the caret to that row's source. */
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

  override get estimatedHeight(): number {
    return (this.source.split("\n").length - 1) * ROW_PX;
  }

  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement("div");
    frame.className = "prose cm-table";
    frame.style.minHeight = `${this.estimatedHeight}px`;
    const { path, links } = this.context;
    const shown = createNoteView(frame, {
      onSlice: () => {
        frame.style.minHeight = "";
        view.requestMeasure();
      },
    });
    const cancel = runInSlices(() => shown.show(this.source, { path, links, isEditable: false }));
    closers.set(frame, () => {
      cancel();
      shown.close();
    });
    frame.addEventListener("load", () => view.requestMeasure(), true);
    frame.addEventListener("mousedown", (event) => {
      const { target } = event;
      if (event.button !== 0 || !(target instanceof Element) || target.closest("a") !== null) return;
      event.preventDefault();
      // A long table is split into several, each with the header.
      const rows = [...frame.querySelectorAll("tr")].filter((row) => row.closest(".continued > thead") === null);
      const index = Math.max(
        rows.findIndex((row) => row.contains(target)),
        0,
      );
      editRow(view, view.posAtDOM(frame), index);
    });
    return frame;
  }

  override destroy(frame: HTMLElement): void {
    closers.get(frame)?.();
  }

  /** The widget handles mouse events, except for clicks on links, which the editor handles. */
  override ignoreEvent(event: Event): boolean {
    return event.type === "mousedown";
  }
}

const closers = new WeakMap<HTMLElement, () => void>();

function editRow(view: EditorView, from: number, index: number): void {
  const { doc } = view.state;
  // The second line of the source consists of dashes.
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

/** The up and down keys move into a table instead of over it. */
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

/** Renders tables, except the one with the caret, which shows its source. */
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
    if (node.name !== "Table" || node.to - node.from > MAX_TABLE) continue;
    const { from } = state.doc.lineAt(node.from);
    const { to } = state.doc.lineAt(node.to);
    if (isFocused && state.selection.ranges.some((range) => range.from <= to && range.to >= from)) continue;
    const widget = new TableView(state.sliceDoc(from, to), context);
    found.push(Decoration.replace({ widget, block: true }).range(from, to));
  }
  return Decoration.set(found);
}
