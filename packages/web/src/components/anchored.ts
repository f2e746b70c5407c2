import { useSyncExternalStore, type ReactNode } from "react";
import { suspendShortcuts } from "../shortcuts/use-shortcut.ts";

/** Where something floats, and what gets the focus when it closes. */
export interface Place {
  readonly at: HTMLElement;
  readonly returnTo: HTMLElement;
}

/** Something that floats beside an element: a menu, a picker. At most one is open. */
export interface Anchored {
  readonly place: Place;
  readonly label: string;
  readonly content: AnchoredContent;
}

export type AnchoredContent =
  | { readonly kind: "menu"; readonly items: readonly MenuItem[] }
  | { readonly kind: "popover"; render(close: () => void): ReactNode };

export type MenuItem =
  | "separator"
  | {
      readonly label: string;
      readonly icon?: ReactNode;
      /** Keys in the form of the shortcut table. */
      readonly keys?: string;
      readonly tone?: "danger";
      /** Given for a choice among several; says which one holds. */
      readonly isChosen?: boolean;
      run(): void;
    };

let current: Anchored | null = null;
const listeners = new Set<() => void>();

/** Opens a menu beside an element, which gets the focus back afterwards. */
export function openMenu(anchor: HTMLElement, label: string, items: readonly MenuItem[]): void {
  setCurrent({ place: placeAt(anchor), label, content: { kind: "menu", items } });
}

/** Opens free content beside an element, which gets the focus back afterwards unless the place says otherwise. */
export function openPopover(place: HTMLElement | Place, label: string, render: (close: () => void) => ReactNode): void {
  setCurrent({
    place: place instanceof HTMLElement ? placeAt(place) : place,
    label,
    content: { kind: "popover", render },
  });
}

export function closeAnchored(): void {
  setCurrent(null);
}

export function useAnchored(): Anchored | null {
  return useSyncExternalStore(subscribe, () => current);
}

function setCurrent(next: Anchored | null): void {
  markExpanded(current, false);
  current = next;
  markExpanded(next, true);
  suspendShortcuts(listeners, next !== null);
  listeners.forEach((listener) => listener());
}

/** Tells a button that it has something open; a row that a picker was opened for by a key is none. */
function markExpanded(anchored: Anchored | null, isExpanded: boolean): void {
  const { at } = anchored?.place ?? {};
  if (!(at instanceof HTMLButtonElement)) return;
  if (isExpanded) at.setAttribute("aria-expanded", "true");
  else at.removeAttribute("aria-expanded");
}

function placeAt(anchor: HTMLElement): Place {
  return { at: anchor, returnTo: anchor };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
