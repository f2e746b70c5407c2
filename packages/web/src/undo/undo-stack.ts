import { dismissToast, showToast } from "../components/toast.ts";

/** Something the user did that can be taken back. */
export interface UndoableAction {
  /** What happened, in the past tense: "Deleted 3 tasks". */
  readonly label: string;
  /** To which one, where it is a single one. */
  readonly detail?: string | undefined;
  /** The toast's id, so that a failure can take its place. */
  readonly id: string;
  undo(): void;
}

const MAX_DEPTH = 30;
const stack: UndoableAction[] = [];

/**
 * Makes something undoable by the shortcut. With `isQuiet` that is all, for changes that are in sight and small; otherwise
 * a toast tells what was done and offers the way back.
 */
export function offerUndo(action: UndoableAction, { isQuiet = false } = {}): void {
  stack.push(action);
  if (stack.length > MAX_DEPTH) stack.shift();
  if (isQuiet) return;
  showToast({
    id: action.id,
    message: action.label,
    ...(action.detail !== undefined && { detail: action.detail }),
    action: { label: "Undo", shortcut: "undo", run: () => undo(action) },
  });
}

/** Withdraws the offer, for something that the server has refused. */
export function withdrawUndo(action: UndoableAction): void {
  const index = stack.indexOf(action);
  if (index !== -1) stack.splice(index, 1);
}

/** Takes back the last thing done. False where there is nothing. */
export function undoLast(): boolean {
  const action = stack.at(-1);
  if (action === undefined) return false;
  undo(action);
  dismissToast(action.id);
  return true;
}

/** Forgets what could be taken back, as after signing out. */
export function clearUndo(): void {
  stack.length = 0;
}

function undo(action: UndoableAction): void {
  const index = stack.indexOf(action);
  if (index === -1) return;
  stack.splice(index, 1);
  action.undo();
}
