import type { ShortcutId } from "../shortcuts/shortcut-table.ts";

export interface ToastMessage {
  readonly message: string;
  readonly detail?: string;
  /** `danger` stays until it is dismissed: something the user did has not happened. */
  readonly tone?: "neutral" | "danger";
  readonly action?: { readonly label: string; readonly shortcut?: ShortcutId; run(): void };
  /** A later toast with the same id takes the place of this one. */
  readonly id?: string;
}

/** Tells what happened out of sight, or offers a way back. Not for what is already visible. */
export function showToast(toast: ToastMessage): void {
  void import("./toaster.tsx").then((toaster) => toaster.show(toast));
}

export function dismissToast(id: string): void {
  void import("./toaster.tsx").then((toaster) => toaster.dismiss(id));
}
