import type { ReactNode } from "react";
import { clientPart } from "../client/client-part.ts";
import { Store } from "../client/store.ts";
import { shortcuts, type Shortcuts } from "../shortcuts/shortcuts.ts";

/** Where something floats, and which element gets the focus back when it closes. */
export interface PopupAnchor {
  readonly element: HTMLElement;
  readonly returnFocusTo: HTMLElement;
  /** A point in the window, if a menu opens there. */
  readonly at?: { readonly x: number; readonly y: number };
}

/** Something that floats beside an element: a menu or a picker. At most one is open. */
export interface Popup {
  readonly anchor: PopupAnchor;
  readonly label: string;
  readonly content: PopupContent;
}

export type PopupContent =
  | { readonly kind: "menu"; readonly items: readonly MenuItem[] }
  | { readonly kind: "popover"; render(close: () => void): ReactNode };

export type MenuItem =
  | "separator"
  | {
      readonly label: string;
      readonly icon?: ReactNode;
      /** Keys in the format of the shortcut table. */
      readonly keys?: string;
      readonly tone?: "danger";
      /** Set for a choice among several; whether this one is selected. */
      readonly isChosen?: boolean;
      /** Called once the menu has closed and returned the focus, so that what this opens can take it. */
      run(): void;
    };

/** The menu or picker that floats above the page. */
export const floating = clientPart((client) => new Floating(shortcuts(client)));

class Floating {
  readonly current = new Store<Popup | null>(null);
  readonly #shortcuts: Shortcuts;

  constructor(suspended: Shortcuts) {
    this.#shortcuts = suspended;
  }

  /** Opens a menu beside an element or at a point; the element gets the focus back afterwards, unless the place says otherwise. */
  openMenu(place: HTMLElement | PopupAnchor, label: string, items: readonly MenuItem[]): void {
    this.#set({ anchor: anchorTo(place), label, content: { kind: "menu", items } });
  }

  /** Opens a popover beside an element, which gets the focus back afterwards unless the place says otherwise. */
  openPopover(anchor: HTMLElement | PopupAnchor, label: string, render: (close: () => void) => ReactNode): void {
    this.#set({ anchor: anchorTo(anchor), label, content: { kind: "popover", render } });
  }

  readonly close = (): void => this.#set(null);

  #set(next: Popup | null): void {
    markExpanded(this.current.get(), false);
    markExpanded(next, true);
    this.#shortcuts.suspend(this, next !== null);
    this.current.set(next);
  }
}

/** Marks a button whose popup is open; a row whose picker was opened by keyboard is not marked. */
function markExpanded(popup: Popup | null, isExpanded: boolean): void {
  const { element } = popup?.anchor ?? {};
  if (!(element instanceof HTMLButtonElement)) return;
  if (isExpanded) element.setAttribute("aria-expanded", "true");
  else element.removeAttribute("aria-expanded");
}

function anchorTo(place: HTMLElement | PopupAnchor): PopupAnchor {
  return place instanceof HTMLElement ? { element: place, returnFocusTo: place } : place;
}
