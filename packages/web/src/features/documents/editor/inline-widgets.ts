import { WidgetType, type EditorView } from "@codemirror/view";

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

/** An image of the vault, in the place of the text that names it. */
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
    const image = document.createElement("img");
    image.className = "cm-image";
    image.src = this.address;
    image.alt = this.label;
    image.addEventListener("load", () => view.requestMeasure());
    image.addEventListener("error", () => {
      const note = document.createElement("span");
      note.className = "cm-image-missing";
      note.textContent = `${this.label} cannot be shown`;
      image.replaceWith(note);
      view.requestMeasure();
    });
    return image;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}
