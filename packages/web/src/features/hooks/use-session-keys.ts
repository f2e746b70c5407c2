import type { ListCursor } from "../../lists/use-list-cursor.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { SessionRow } from "./session-rows.ts";
import type { Unfolded } from "./session-view-state.ts";

interface SessionKeys extends Unfolded {
  readonly rows: readonly SessionRow[];
  readonly cursor: ListCursor;
}

/** The keys by which a session is unfolded, and one goes from prompt to prompt. */
export function useSessionKeys({ rows, cursor: { cursorId, actions }, unfolded, set, toggle }: SessionKeys): void {
  const index = rows.findIndex(({ id }) => id === cursorId);
  const row = rows[index];
  const goTo = (next: SessionRow | undefined) => {
    if (next === undefined) return false;
    actions.moveTo(next.id);
    return true;
  };
  const isPrompt = ({ kind }: SessionRow) => kind === "prompt";
  useShortcut("nextPrompt", () => goTo(rows.slice(index + 1).find(isPrompt)));
  useShortcut("previousPrompt", () => goTo(rows.slice(0, Math.max(index, 0)).findLast(isPrompt)));
  useShortcut("unfoldStep", () => {
    if (row === undefined) return false;
    if (unfolded.has(row.id)) return goTo(rows[index + 1]);
    toggle(row.id);
    return true;
  });
  useShortcut("foldStep", () => {
    if (row === undefined) return false;
    if (!unfolded.has(row.id)) return goTo(rows.slice(0, index).findLast(isPrompt));
    toggle(row.id);
    return true;
  });
  useShortcut("unfoldAll", () => {
    const ids = rows.filter(isPrompt).map(({ id }) => id);
    set(ids, !ids.every((id) => unfolded.has(id)));
  });
}
