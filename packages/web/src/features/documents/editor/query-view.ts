import { WidgetType, type EditorView } from "@codemirror/view";
import { createQueryElement } from "../queries/query-element.ts";

/** The result of a query, in place of its source. A click beside what is in it moves the caret into the source. */
export class QueryView extends WidgetType {
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
