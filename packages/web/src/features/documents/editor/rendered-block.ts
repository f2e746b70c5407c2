import { WidgetType, type EditorView } from "@codemirror/view";
import { createNoteView } from "../reading/note-view.ts";
import type { NoteContext } from "./note-context.ts";

const LINE_PX = 28;

/** A formula or a diagram, in place of its source. A click moves the caret there. */
export class RenderedBlock extends WidgetType {
  readonly source: string;
  readonly context: NoteContext;

  constructor(source: string, context: NoteContext) {
    super();
    this.source = source;
    this.context = context;
  }

  override eq(other: RenderedBlock): boolean {
    return other.source === this.source && other.context === this.context;
  }

  override get estimatedHeight(): number {
    return this.source.split("\n").length * LINE_PX;
  }

  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement("div");
    frame.className = "prose cm-block";
    const { path, links } = this.context;
    const shown = createNoteView(frame, { onSlice: () => view.requestMeasure() });
    shown.show(this.source, { path, links, isEditable: false, hasTags: false });
    closers.set(frame, () => shown.close());
    frame.addEventListener("load", () => view.requestMeasure(), true);
    frame.addEventListener("mousedown", (event) => {
      const { target } = event;
      if (event.button !== 0 || !(target instanceof Element) || target.closest("details") !== null) return;
      event.preventDefault();
      const from = view.posAtDOM(frame);
      view.dispatch({ selection: { anchor: view.state.doc.lineAt(from).to } });
      view.focus();
    });
    return frame;
  }

  override destroy(frame: HTMLElement): void {
    closers.get(frame)?.();
  }

  /** Its mouse events are its own. */
  override ignoreEvent(): boolean {
    return true;
  }
}

const closers = new WeakMap<HTMLElement, () => void>();
