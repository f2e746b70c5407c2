import { clientPart } from "../../client/client-part.ts";
import type { Client } from "../../client/client.ts";
import { Store } from "../../client/store.ts";
import { shortcuts, type Shortcuts } from "../../shortcuts/shortcuts.ts";
import type { Project } from "../projects/project.ts";
import type { View, ViewSettings } from "../views/view.ts";

/** A modal dialog. At most one is open. */
export type OpenDialog =
  | { readonly kind: "palette" }
  | { readonly kind: "shortcut-map" }
  | { readonly kind: "change-password" }
  | { readonly kind: "new-task" }
  | { readonly kind: "import-tasks" }
  | { readonly kind: "import-notes" }
  | { readonly kind: "note-settings" }
  | { readonly kind: "new-project" }
  | { readonly kind: "edit-project"; readonly project: Project }
  | { readonly kind: "new-view"; readonly settings: ViewSettings }
  | { readonly kind: "edit-view"; readonly view: View };

/** The open dialog. */
export const dialogs = clientPart((client) => new Dialogs(client));

class Dialogs {
  readonly current = new Store<OpenDialog | null>(null);
  readonly #shortcuts: Shortcuts;
  /** Whether a dialog was opened that has not yet received the focus, because its code is still loading. */
  #isAwaited = false;
  #typedAhead = "";

  constructor(client: Client) {
    this.#shortcuts = shortcuts(client);
    const disposed = new AbortController();
    const options = { capture: true, signal: disposed.signal };
    window.addEventListener("keydown", (event) => this.#onKeyDown(event), options);
    window.addEventListener("focusin", ({ target }) => this.#onFocus(target), options);
    client.onDispose(() => disposed.abort());
  }

  open(dialog: OpenDialog): void {
    this.#set(dialog);
  }

  readonly close = (): void => this.#set(null);

  /** Returns what was typed between opening a dialog and its receiving the focus, so that no keystroke is lost. */
  takeTypedAhead(): string {
    const typed = this.#typedAhead;
    this.#typedAhead = "";
    return typed;
  }

  #set(next: OpenDialog | null): void {
    this.#shortcuts.suspend(this, next !== null);
    this.#isAwaited = next !== null;
    this.#typedAhead = "";
    this.current.set(next);
  }

  /** What is typed for an awaited dialog must not reach the text that still has the focus. */
  #onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (!this.#isAwaited || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (key === "Escape") this.close();
    else if (key === "Backspace") this.#typedAhead = this.#typedAhead.slice(0, -1);
    else if (key.length === 1) this.#typedAhead += key;
    else if (key !== "Enter" && key !== "Delete") return;
    event.preventDefault();
    event.stopPropagation();
  }

  #onFocus(target: EventTarget | null): void {
    if (target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null)
      this.#isAwaited = false;
  }
}
