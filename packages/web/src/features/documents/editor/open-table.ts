import type { EditorState, TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { minimalReplacement } from "../document-text.ts";
import { createNoteView, type NoteView } from "../reading/note-view.ts";
import { openCell, type CellMove, type OpenCell } from "./cell-field.ts";
import type { NoteContext } from "./note-context.ts";
import { runInSlices } from "./run-in-slices.ts";
import { createTableTools, type TableAction } from "./table-tools.ts";
import {
  cellText,
  readTable,
  withCell,
  withColumn,
  withNextAlignment,
  withoutColumn,
  withoutRow,
  withRow,
  writeTable,
  type TableSource,
} from "./table-source.ts";

/** A table in the editor. */
export interface OpenTable {
  readonly frame: HTMLElement;
  /** Shows another source: one that was edited here, or elsewhere. */
  update(source: string, context: NoteContext): void;
  close(): void;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

interface EditedCell extends Place {
  readonly field: OpenCell;
}

/** Shows a table, and edits its cells where they are. Each key is a change of the note, like any other one. */
export function openTable(view: EditorView, source: string, context: NoteContext): OpenTable {
  return new ShownTable(view, source, context);
}

class ShownTable implements OpenTable {
  readonly frame = document.createElement("div");
  readonly #content = document.createElement("div");
  readonly #tools = createTableTools((action) => this.#act(action));
  readonly #view: EditorView;
  readonly #shown: NoteView;
  readonly #cancel: () => void;
  #source: string;
  #context: NoteContext;
  #edited: EditedCell | null = null;
  /** The cell to edit once the table is shown. */
  #next: Place | null = null;

  constructor(view: EditorView, source: string, context: NoteContext) {
    this.#view = view;
    this.#source = source;
    this.#context = context;
    this.frame.className = "prose cm-table";
    this.frame.append(this.#content);
    this.#shown = createNoteView(this.#content, {
      onSlice: () => {
        this.frame.style.minHeight = "";
        view.requestMeasure();
      },
      onShown: () => {
        const place = this.#next;
        this.#next = null;
        if (place !== null) this.#edit(place);
      },
    });
    this.#cancel = runInSlices(() => this.#show());
    this.frame.addEventListener("mousedown", (event) => this.#onMouseDown(event));
    this.frame.addEventListener("load", () => view.requestMeasure(), true);
  }

  update(source: string, context: NoteContext): void {
    this.#context = context;
    if (source === this.#source && this.#edited !== null) return;
    this.#source = source;
    // Somebody else has changed the table: the cell at this place is shown as it is now.
    this.#leave(this.#edited);
  }

  close(): void {
    this.#cancel();
    this.#shown.close();
  }

  #show(): void {
    const { path, links } = this.#context;
    this.#shown.show(this.#source, { path, links, isEditable: false, hasTags: false });
  }

  #onMouseDown(event: MouseEvent): void {
    const { target } = event;
    if (event.button !== 0 || !(target instanceof Element)) return;
    if (target.closest("a, textarea, button") !== null) return;
    event.preventDefault();
    const cell = target.closest("td, th");
    const place = cell === null || this.#view.state.readOnly ? null : placeOf(this.#content, cell);
    // The change of the former cell may have to be shown first.
    if (place !== null) this.#leave(place);
  }

  #edit({ row, column }: Place): void {
    const cell = rowsOf(this.#content)[row]?.cells[column];
    if (cell === undefined) return;
    const field = openCell(cell, {
      text: cellText(readTable(this.#source), row, column),
      label: `Row ${row + 1}, column ${column + 1}`,
      onInput: (text) => this.#write(withCell(readTable(this.#source), row, column, text)),
      onMove: (move) => this.#move(move),
      onLeave: () => {
        if (this.#edited !== null) this.#leave(null);
      },
    });
    this.#edited = { row, column, field };
    this.frame.append(this.#tools);
    this.#view.requestMeasure();
  }

  /** Ends editing a cell, and begins with another one. */
  #leave(place: Place | null): void {
    const cell = this.#edited;
    this.#edited = null;
    cell?.field.close();
    this.#tools.remove();
    this.#next = place;
    this.#show();
    this.#view.requestMeasure();
  }

  #move(move: CellMove): void {
    if (this.#edited === null) return;
    if (move === "row") this.#act("rowBelow");
    else if (move === "column") this.#act("columnAfter");
    else if (move === "out") this.#leaveTo("after");
    else this.#moveTo(move, this.#edited);
  }

  #moveTo(move: Exclude<CellMove, "row" | "column" | "out">, { row, column }: Place): void {
    const table = readTable(this.#source);
    const [lastRow, lastColumn] = [table.rows.length - 1, table.dashes.length - 1];
    const isForward = move === "next" || move === "right";
    if (isForward && column < lastColumn) this.#leave({ row, column: column + 1 });
    else if (move === "previous" && column > 0) this.#leave({ row, column: column - 1 });
    else if (move === "previous" || move === "up") {
      if (row === 0) this.#leaveTo("before");
      else this.#leave({ row: row - 1, column: move === "up" ? column : lastColumn });
    } else if (row === lastRow && (move === "down" || move === "right")) this.#leaveTo("after");
    else {
      if (row === lastRow) this.#write(withRow(table, row + 1));
      this.#leave({ row: row + 1, column: isForward ? 0 : column });
    }
  }

  #act(action: TableAction): void {
    if (this.#edited === null) return;
    const { row, column } = this.#edited;
    if (action === "source") {
      this.#leaveTo("inside");
      return;
    }
    this.#write(changedTable(readTable(this.#source), action, { row, column }));
    const changed = readTable(this.#source);
    this.#leave({
      row: Math.min(row + (action === "rowBelow" ? 1 : 0), changed.rows.length - 1),
      column: Math.min(column + (action === "columnAfter" ? 1 : 0), changed.dashes.length - 1),
    });
  }

  #write(table: TableSource): void {
    const from = this.#view.posAtDOM(this.frame);
    const written = writeTable(table);
    const change = minimalReplacement(this.#source, written);
    this.#source = written;
    if (change === null) return;
    this.#view.dispatch({
      changes: { from: from + change.from, to: from + change.to, insert: change.insert },
      userEvent: "input.type",
    });
  }

  /** Leaves the table for the text around it, or for its own source. */
  #leaveTo(where: "before" | "inside" | "after"): void {
    const from = this.#view.posAtDOM(this.frame);
    const to = from + this.#source.length;
    this.#leave(null);
    const { state } = this.#view;
    const anchor = where === "before" ? Math.max(from - 1, 0) : from;
    this.#view.dispatch(where === "after" ? placeAfter(state, to) : { selection: { anchor }, scrollIntoView: true });
    this.#view.focus();
  }
}

/** The rows in the page. A long table is divided, and each part has the header. */
function rowsOf(content: HTMLElement): HTMLTableRowElement[] {
  return [...content.querySelectorAll("tr")].filter((row) => row.closest(".continued > thead") === null);
}

function placeOf(content: HTMLElement, cell: Element): Place | null {
  const row = rowsOf(content).findIndex((candidate) => candidate.contains(cell));
  const column = [...(cell.parentElement?.children ?? [])].indexOf(cell);
  return row < 0 || column < 0 ? null : { row, column };
}

/** Puts the caret behind a table: after an empty line, since a line right after it would be one of its rows. */
function placeAfter({ doc }: EditorState, end: number): TransactionSpec {
  const number = doc.lineAt(end).number;
  const [next, second] = [number + 1, number + 2].map((line) => (line <= doc.lines ? doc.line(line) : null));
  if (next?.text.trim() === "" && second != null) return { selection: { anchor: second.from }, scrollIntoView: true };
  const insert = next == null ? "\n\n" : "\n";
  const at = next?.text.trim() === "" ? next.to : end;
  return { changes: { from: at, insert }, selection: { anchor: at + insert.length }, userEvent: "input" };
}

function changedTable(table: TableSource, action: TableAction, { row, column }: Place): TableSource {
  switch (action) {
    case "rowAbove":
      return withRow(table, row);
    case "rowBelow":
      return withRow(table, row + 1);
    case "columnBefore":
      return withColumn(table, column);
    case "columnAfter":
      return withColumn(table, column + 1);
    case "deleteRow":
      return withoutRow(table, row);
    case "deleteColumn":
      return withoutColumn(table, column);
    case "align":
      return withNextAlignment(table, column);
    case "source":
      return table;
  }
}
