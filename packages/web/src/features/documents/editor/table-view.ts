import { WidgetType, type EditorView } from "@codemirror/view";
import type { NoteContext } from "./note-context.ts";
import { openTable, type OpenTable } from "./open-table.ts";

const ROW_PX = 33;

/** A rendered table, in place of its source. Its cells are edited where they are. */
export class TableView extends WidgetType {
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
    const table = openTable(view, this.source, this.context);
    tables.set(table.frame, table);
    table.frame.style.minHeight = `${this.estimatedHeight}px`;
    return table.frame;
  }

  /** The table stays in the page, with the cell that is being edited. */
  override updateDOM(frame: HTMLElement): boolean {
    const table = tables.get(frame);
    table?.update(this.source, this.context);
    return table !== undefined;
  }

  override destroy(frame: HTMLElement): void {
    tables.get(frame)?.close();
  }

  /** The widget handles all events but clicks on links, which the editor handles. */
  override ignoreEvent(event: Event): boolean {
    return event.type !== "click" || !(event.target instanceof Element) || event.target.closest("a") === null;
  }
}

const tables = new WeakMap<HTMLElement, OpenTable>();
