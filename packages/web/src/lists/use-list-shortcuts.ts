import { useShortcut } from "../shortcuts/use-shortcut.ts";
import type { ListCursor } from "./use-list-cursor.ts";

interface ListKeyActions {
  /** The action of the `e` key on the row under the cursor. */
  readonly edit?: ((id: string) => void) | undefined;
  /** The action of the Delete key on the selection, or on the row under the cursor. */
  readonly remove?: ((ids: readonly string[]) => void) | undefined;
  /** Whether several rows can be selected, to be removed together. */
  readonly isSelectable?: boolean | undefined;
}

/** The shortcuts in a list: moving, selecting, opening, and actions on the row under the cursor. */
export function useListShortcuts(
  { cursorId, selectedIds, actions }: ListCursor,
  { edit, remove, isSelectable = false }: ListKeyActions,
): void {
  const onCursor = (act: (id: string) => void) => () => {
    if (cursorId === null) return false;
    act(cursorId);
    return true;
  };
  const extend = (step: number) => {
    if (cursorId === null) actions.move(step);
    else actions.extend(step);
  };
  const canSelect = { isEnabled: isSelectable };

  useShortcut("next", () => actions.move(1));
  useShortcut("previous", () => actions.move(-1));
  useShortcut("open", onCursor(actions.open));
  useShortcut("extendDown", () => extend(1), canSelect);
  useShortcut("extendUp", () => extend(-1), canSelect);
  useShortcut("select", onCursor(actions.toggle), canSelect);
  useShortcut("selectAll", actions.selectAll, canSelect);
  useShortcut("back", () => (selectedIds.size > 0 ? actions.clearSelection() : false), canSelect);
  useShortcut(
    "edit",
    onCursor((id) => edit?.(id)),
    { isEnabled: edit !== undefined },
  );
  useShortcut(
    "delete",
    () => {
      const ids = selectedIds.size > 0 ? [...selectedIds] : cursorId === null ? [] : [cursorId];
      if (ids.length === 0) return false;
      remove?.(ids);
      return true;
    },
    { isEnabled: remove !== undefined },
  );
}
