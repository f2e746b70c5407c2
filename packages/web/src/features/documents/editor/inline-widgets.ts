import { Facet } from "@codemirror/state";
import { WidgetType, type EditorView } from "@codemirror/view";
import type { Connection } from "../../../api/connection.ts";

/** Notifies when the server is back, so that images that could not be loaded are requested again. */
export const serverConnection = Facet.define<Connection>();

/** A check box in place of `[ ]` or `[x]`. */
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

/** A round bullet in place of `-`, `*` or `+`. */
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

/** A word in place of a mark that stands for it. */
export class Label extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: Label): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const label = document.createElement("span");
    label.textContent = this.text;
    return label;
  }
}

/** A horizontal line in place of `---`. */
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

/** A failed request for an image is retried once after this time. */
const RETRY_MS = 3_000;

/**
 * An image of the vault, in place of the text that refers to it. The placeholder for an image that cannot be shown is inside the
 * widget's own element: the editor would take a change outside that element for typed text.
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
    retryAfterErrors(frame, image, { load, connections: view.state.facet(serverConnection) });
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

/** Requests a broken image again: once a moment later, and whenever the server is back. */
function retryAfterErrors(
  frame: HTMLElement,
  image: HTMLImageElement,
  { load, connections }: { load: () => void; connections: readonly Connection[] },
): void {
  let isBroken = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  image.addEventListener("load", () => (isBroken = false));
  image.addEventListener("error", () => {
    isBroken = true;
    timer ??= setTimeout(load, RETRY_MS);
  });
  const stops = connections.map((connection) =>
    connection.subscribe((state) => {
      if (state === "online" && isBroken) load();
    }),
  );
  stopsOfRetries.set(frame, () => {
    clearTimeout(timer);
    stops.forEach((stop) => stop());
  });
}
