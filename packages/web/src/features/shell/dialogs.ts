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
  #typedAhead = "";

  constructor(client: Client) {
    this.#shortcuts = shortcuts(client);
    const disposed = new AbortController();
    window.addEventListener("keydown", (event) => this.#recordTyped(event), { signal: disposed.signal });
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
    this.#typedAhead = "";
    this.current.set(next);
  }

  #recordTyped({ key, ctrlKey, metaKey, target }: KeyboardEvent): void {
    if (this.current.get() === null || key.length > 1 || ctrlKey || metaKey) return;
    const isInDialog = target instanceof Element && target.closest("[role=dialog]") !== null;
    if (!isInDialog) this.#typedAhead += key;
  }
}
