import { clientPart } from "../client/client-part.ts";
import type { ShortcutId } from "../shortcuts/shortcut-keys.ts";

export interface ToastMessage {
  readonly message: string;
  readonly detail?: string;
  /** `danger`: something the user did has not happened. It stays for a minute, or until the page is left; with an action, until it is dismissed. */
  readonly tone?: "neutral" | "danger";
  readonly action?: { readonly label: string; readonly shortcut?: ShortcutId; run(): void };
  /** Whether it stays until it is dismissed, wherever the user goes. */
  readonly stays?: boolean;
  /** Called when somebody dismisses it or chooses its action. */
  onDismiss?(): void;
  /** A later toast with the same id replaces this one. */
  readonly id?: string;
}

/** Where toasts appear. */
interface ToastHost {
  show(message: ToastMessage): void;
  dismiss(id: string): void;
}

/** Announces what happened out of sight, or offers an undo. Not for what is already visible. */
export const toasts = clientPart((client) => {
  const all = new Toasts();
  client.onForget(() => all.forget());
  return all;
});

class Toasts {
  #host: ToastHost | null = null;
  /** Toasts shown before the host, whose code is loaded after the first screen, is attached. */
  #waiting: ToastMessage[] = [];

  show(message: ToastMessage): void {
    if (this.#host === null) this.#waiting.push(message);
    else this.#host.show(message);
  }

  dismiss(id: string): void {
    this.#waiting = this.#waiting.filter((message) => message.id !== id);
    this.#host?.dismiss(id);
  }

  /** Toasts that nobody has seen must not appear in the next session. */
  forget(): void {
    this.#waiting = [];
  }

  /** Attaches a host that shows the toasts. Returns a function that detaches it. */
  attach(host: ToastHost): () => void {
    this.#host = host;
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((message) => host.show(message));
    return () => {
      if (this.#host === host) this.#host = null;
    };
  }
}
