import { clientPart } from "../client/client-part.ts";
import { toasts } from "../components/toast.ts";

/** Something the user did that can be undone. */
export interface UndoableAction {
  /** What happened, in the past tense: "Deleted 3 tasks". */
  readonly label: string;
  /** The name of the affected item, if there is only one. */
  readonly detail?: string | undefined;
  /** The id of its toast, so that an error can replace it. */
  readonly id: string;
  undo(): void;
}

const MAX_DEPTH = 30;

/** The actions that the user can undo. */
export const undoStack = clientPart((client) => {
  const stack = new UndoStack(toasts(client));
  client.onForget(() => stack.clear());
  return stack;
});

class UndoStack {
  readonly #toasts: ReturnType<typeof toasts>;
  #actions: readonly UndoableAction[] = [];

  constructor(shownOn: ReturnType<typeof toasts>) {
    this.#toasts = shownOn;
  }

  /**
   * Makes an action undoable by the shortcut. With `isQuiet` that is all, for small visible changes; otherwise a toast says
   * what was done and offers to undo it.
   */
  offer(action: UndoableAction, { isQuiet = false } = {}): void {
    this.#actions = [...this.#actions, action].slice(-MAX_DEPTH);
    if (isQuiet) return;
    this.#toasts.show({
      id: action.id,
      message: action.label,
      ...(action.detail !== undefined && { detail: action.detail }),
      action: { label: "Undo", shortcut: "undo", run: () => this.#undo(action) },
    });
  }

  /** Announces an action in other words, unless it has been undone meanwhile. */
  replace(action: UndoableAction, next: UndoableAction): void {
    if (!this.#actions.includes(action)) return;
    this.withdraw(action);
    this.offer(next);
  }

  /** Withdraws an action that the server has refused. */
  withdraw(action: UndoableAction): void {
    this.#actions = this.#actions.filter((other) => other !== action);
  }

  /** Undoes the last action. Returns false if there is none. */
  undoLast(): boolean {
    const action = this.#actions.at(-1);
    if (action === undefined) return false;
    this.#undo(action);
    this.#toasts.dismiss(action.id);
    return true;
  }

  clear(): void {
    this.#actions = [];
  }

  #undo(action: UndoableAction): void {
    if (!this.#actions.includes(action)) return;
    this.withdraw(action);
    action.undo();
  }
}
