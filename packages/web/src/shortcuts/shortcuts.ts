import { isApple } from "../browser/platform.ts";
import { clientPart } from "../client/client-part.ts";
import { createMatcher, describePress } from "./shortcut-matching.ts";

/** Handles a shortcut. Returning false passes it on to the handler registered before. */
export type ShortcutHandler = (event: KeyboardEvent) => boolean | void;

export interface BindingOptions {
  /** Called only if no other handler wants the keys, such as the frame's handlers after the page's. */
  readonly isFallback?: boolean;
}

/** The keyboard shortcuts of the page. */
export const shortcuts = clientPart((client) => {
  const all = new Shortcuts();
  client.onDispose(() => all.dispose());
  return all;
});

export class Shortcuts {
  readonly #handlers = new Map<string, readonly ShortcutHandler[]>();
  readonly #suspendedBy = new Set<object>();
  readonly #match = createMatcher();
  /** The key that is held down since something above the page had it. */
  #heldKey: string | null = null;
  readonly #disposed = new AbortController();

  constructor() {
    window.addEventListener("keydown", (event) => this.#onKeyDown(event), { signal: this.#disposed.signal });
  }

  /**
   * Handles keys in the format of the shortcut table; the latest handler is called first. Returns a function that unbinds
   * it.
   */
  bind(keys: string, handler: ShortcutHandler, { isFallback = false }: BindingOptions = {}): () => void {
    const list = this.#handlers.get(keys) ?? [];
    this.#handlers.set(keys, isFallback ? [handler, ...list] : [...list, handler]);
    return () => {
      const rest = (this.#handlers.get(keys) ?? []).filter((other) => other !== handler);
      if (rest.length === 0) this.#handlers.delete(keys);
      else this.#handlers.set(keys, rest);
    };
  }

  /** Disables all shortcuts while a menu, a picker or a dialog is open or about to open: its keys never reach the page. */
  suspend(owner: object, isSuspended: boolean): void {
    if (isSuspended) this.#suspendedBy.add(owner);
    else this.#suspendedBy.delete(owner);
  }

  dispose(): void {
    this.#disposed.abort();
  }

  #onKeyDown(event: KeyboardEvent): void {
    const isSuspended = this.#suspendedBy.size > 0;
    if (!event.repeat) this.#heldKey = isSuspended ? event.code : null;
    // A key that has closed a menu does not reach the page by being held down.
    if (isSuspended || (event.repeat && event.code === this.#heldKey)) return;
    if (event.defaultPrevented || event.isComposing) return;
    if (isForTheFocusedElement(event)) return;
    const press = describePress({
      key: event.key,
      code: event.code,
      isModDown: isApple ? event.metaKey : event.ctrlKey,
      isAltDown: event.altKey,
      isShiftDown: event.shiftKey,
    });
    const found = this.#match(press, event.timeStamp, this.#handlers);
    if (found === undefined || found === "waiting") return;
    const wasHandled = found.toReversed().some((handler) => handler(event) !== false);
    if (wasHandled) event.preventDefault();
  }
}

/** Text fields, open menus and dialogs keep their keys; only the palette and Escape work in text fields. */
function isForTheFocusedElement(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("[role=menu], [role=listbox], [role=dialog], [role=alertdialog]") !== null) return true;
  const isMod = event.metaKey || event.ctrlKey;
  if (isTextField(target)) return !(event.key === "Escape" || (isMod && event.key.toLowerCase() === "k"));
  const isOnControl = target.closest("button, a[href], [role=checkbox], summary") !== null;
  return isOnControl && !isMod && (event.key === "Enter" || event.key === " ");
}

function isTextField(element: HTMLElement): boolean {
  if (element.isContentEditable || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement)
    return true;
  return (
    element instanceof HTMLInputElement && !["checkbox", "radio", "button", "range", "color"].includes(element.type)
  );
}
