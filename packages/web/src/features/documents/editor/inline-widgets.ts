import { WidgetType, type EditorView } from "@codemirror/view";
import { subscribeToConnection } from "../../../api/connection.ts";

/** A check box in the place of `[ ]` or `[x]`. */
export class TaskBox extends WidgetType {
  readonly isDone: boolean;

  constructor(isDone: boolean) {
    super();
    this.isDone = isDone;
  }

  override eq(other: TaskBox): boolean {
    return other.isDone === this.isDone;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.className = "checkbox cm-task-box";
    box.checked = this.isDone;
    box.disabled = view.state.readOnly;
    box.tabIndex = -1;
    box.setAttribute("aria-label", this.isDone ? "Done" : "To do");
    box.addEventListener("mousedown", (event) => event.preventDefault());
    box.addEventListener("click", (event) => {
      event.preventDefault();
      const from = view.posAtDOM(box);
      view.dispatch({ changes: { from: from + 1, to: from + 2, insert: this.isDone ? " " : "x" }, userEvent: "input" });
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** A round bullet in the place of `-`, `*` or `+`. */
export class Bullet extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const bullet = document.createElement("span");
    bullet.className = "cm-bullet";
    bullet.textContent = "•";
    return bullet;
  }
}

/** A line across, in the place of `---`. */
export class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const rule = document.createElement("span");
    rule.className = "cm-rule";
    return rule;
  }
}

/** A request for an image that failed by chance is made once more after this time. */
const RETRY_MS = 3_000;

/**
 * An image of the vault, in the place of the text that names it. What stands in for it when it cannot be shown comes and
 * goes inside the widget's own element: the editor would take a change beside that element for something typed.
 */
export class VaultImage extends WidgetType {
  readonly address: string;
  readonly label: string;

  constructor(address: string, label: string) {
    super();
    this.address = address;
    this.label = label;
  }

  override eq(other: VaultImage): boolean {
    return other.address === this.address && other.label === this.label;
  }

  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement("span");
    frame.className = "cm-image-frame";
    frame.contentEditable = "false";
    const image = document.createElement("img");
    image.className = "cm-image";
    image.alt = this.label;
    const show = (part: HTMLElement) => {
      if (frame.firstChild !== part) frame.replaceChildren(part);
      view.requestMeasure();
    };
    const load = () => (image.src = this.address);
    image.addEventListener("load", () => show(image));
    image.addEventListener("error", () => show(insteadOfImage(this.label)));
    retryAfterErrors(frame, image, load);
    frame.append(image);
    load();
    return frame;
  }

  override destroy(frame: HTMLElement): void {
    stopsOfRetries.get(frame)?.();
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function insteadOfImage(label: string): HTMLElement {
  const note = document.createElement("span");
  note.className = "cm-image-missing";
  note.textContent = `${label} cannot be shown`;
  return note;
}

const stopsOfRetries = new WeakMap<HTMLElement, () => void>();

/** Asks for a broken image again: once a moment later, and whenever the server has come back. */
function retryAfterErrors(frame: HTMLElement, image: HTMLImageElement, load: () => void): void {
  let isBroken = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  image.addEventListener("load", () => (isBroken = false));
  image.addEventListener("error", () => {
    isBroken = true;
    timer ??= setTimeout(load, RETRY_MS);
  });
  const unsubscribe = subscribeToConnection((state) => {
    if (state === "online" && isBroken) load();
  });
  stopsOfRetries.set(frame, () => {
    clearTimeout(timer);
    unsubscribe();
  });
}
