import { WidgetType, type EditorView } from "@codemirror/view";
import { createFigureView } from "../reading/figure-view.ts";

/** A formula within a line, in place of its source. */
export class Formula extends WidgetType {
  readonly source: string;

  constructor(source: string) {
    super();
    this.source = source;
  }

  override eq(other: Formula): boolean {
    return other.source === this.source;
  }

  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement("span");
    frame.className = "cm-formula";
    const code = document.createElement("code");
    code.className = "cm-code";
    code.dataset["figure"] = "inline-math";
    code.textContent = this.source;
    frame.append(code);
    const figures = createFigureView(frame, () => view.requestMeasure());
    figures.prefill(frame);
    figures.show(frame);
    closers.set(frame, () => figures.close());
    return frame;
  }

  override destroy(frame: HTMLElement): void {
    closers.get(frame)?.();
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

const closers = new WeakMap<HTMLElement, () => void>();
