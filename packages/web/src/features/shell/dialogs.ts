import { useSyncExternalStore } from "react";
import { suspendShortcuts } from "../../shortcuts/use-shortcut.ts";
import type { Project } from "../projects/project.ts";

/** A dialog over the page. At most one is open. */
export type OpenDialog =
  | { readonly kind: "palette" }
  | { readonly kind: "shortcut-map" }
  | { readonly kind: "new-task" }
  | { readonly kind: "new-project" }
  | { readonly kind: "edit-project"; readonly project: Project };

let current: OpenDialog | null = null;
let typedAhead = "";
const listeners = new Set<() => void>();

export function openDialog(dialog: OpenDialog): void {
  setCurrent(dialog);
}

export function closeDialog(): void {
  setCurrent(null);
}

export function useOpenDialog(): OpenDialog | null {
  return useSyncExternalStore(subscribe, () => current);
}

/** What was typed between opening a dialog and its having the focus, so that no key is lost to the wait. */
export function takeTypedAhead(): string {
  const typed = typedAhead;
  typedAhead = "";
  return typed;
}

window.addEventListener("keydown", ({ key, ctrlKey, metaKey, target }) => {
  const isInDialog = target instanceof Element && target.closest("[role=dialog]") !== null;
  if (current !== null && !isInDialog && key.length === 1 && !ctrlKey && !metaKey) typedAhead += key;
});

function setCurrent(next: OpenDialog | null): void {
  current = next;
  suspendShortcuts(listeners, next !== null);
  typedAhead = "";
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
