import { useEffect, useMemo, useRef, useState } from "react";

interface CursorState {
  /** The row that keyboard actions apply to. */
  readonly cursorId: string | null;
  /** Where a range selection started. */
  readonly anchorId: string | null;
  readonly selectedIds: ReadonlySet<string>;
  readonly editingId: string | null;
}

const NOTHING: CursorState = { cursorId: null, anchorId: null, selectedIds: new Set(), editingId: null };

export interface ListCursor {
  readonly cursorId: string | null;
  /** The selected rows that are visible. */
  readonly selectedIds: ReadonlySet<string>;
  readonly editingId: string | null;
  /** Incremented when the keyboard has moved the cursor and the focus must follow. */
  readonly focusRequest: number;
  readonly actions: ListCursorActions;
}

/** What rows and shortcuts can do with the cursor. The object is stable, so rows do not re-render because of it. */
export interface ListCursorActions {
  /** Moves the cursor by `step` rows. */
  move(step: number): void;
  moveTo(id: string): void;
  /** Puts the cursor on a row that the pointer touched, without moving the focus. */
  touch(id: string): void;
  open(id: string): void;
  toggle(id: string): void;
  /** Selects the range from the start of the last selection to this row. */
  selectTo(id: string): void;
  /** Extends the selection to the next rows, and moves the cursor along. */
  extend(step: number): void;
  selectAll(): void;
  clearSelection(): void;
  startEdit(id: string): void;
  /** Returns the focus to the row, unless the edit ended because something else took the focus. */
  stopEdit(how: { readonly returnsFocus: boolean }): void;
  /** The rows that an action on this one applies to: the whole selection if it is part of it. */
  targetsOf(id: string): readonly string[];
  /** Returns true to the first caller per request: its row takes the focus. */
  claimFocus(request: number): boolean;
  /** Moves to the next row, because this one is about to disappear. */
  leave(ids: readonly string[]): void;
}

export interface ListCursorOptions {
  /** Opens a row's panel. */
  readonly open: (id: string) => void;
  /** Whether a panel is open; moving the cursor then changes the item in the panel. */
  readonly isPanelOpen: boolean;
  /** For rows created here, whose id changes once the server has assigned one. */
  readonly realId?: ((id: string) => string) | undefined;
}

/**
 * The keyboard cursor in a list, and the selection. `ids` are the visible rows, in the order of the list; when the row under
 * the cursor disappears, the cursor stays at the same index.
 */
export function useListCursor(
  ids: readonly string[],
  { open, isPanelOpen, realId = sameId }: ListCursorOptions,
): ListCursor {
  const [state, setState] = useState(NOTHING);
  const [focusRequest, setFocusRequest] = useState(0);
  const indexOf = useMemo(() => new Map(ids.map((id, index) => [id, index])), [ids]);
  const [lastIndex, setLastIndex] = useState(0);

  const stateCursorId = state.cursorId === null ? null : realId(state.cursorId);
  const cursorIndex = stateCursorId === null ? undefined : indexOf.get(stateCursorId);
  // Remembered for when the row under the cursor disappears.
  if (cursorIndex !== undefined && cursorIndex !== lastIndex) setLastIndex(cursorIndex);
  const cursorId = cursorIndex === undefined && stateCursorId !== null ? idNear(ids, lastIndex) : stateCursorId;
  const selectedIds = useMemo(
    () => new Set([...state.selectedIds].map(realId).filter((id) => indexOf.has(id))),
    [state.selectedIds, indexOf, realId],
  );

  const latest = useRef({ ids, indexOf, cursorId, selectedIds, open, isPanelOpen });
  useEffect(() => {
    latest.current = { ids, indexOf, cursorId, selectedIds, open, isPanelOpen };
  });

  const editingId = state.editingId === null ? null : realId(state.editingId);
  // oxlint-disable-next-line react/refs -- The actions read the ref when they are called, never while rendering.
  const [actions] = useState(() => createActions(latest, setState, () => setFocusRequest((count) => count + 1)));
  return { cursorId, selectedIds, editingId, focusRequest, actions };
}

interface Latest {
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly cursorId: string | null;
  readonly selectedIds: ReadonlySet<string>;
  readonly open: (id: string) => void;
  readonly isPanelOpen: boolean;
}

function createActions(
  latest: { readonly current: Latest },
  setState: (change: (state: CursorState) => CursorState) => void,
  requestFocus: () => void,
): ListCursorActions {
  let claimedRequest = 0;
  const change = (part: Partial<CursorState>) => setState((state) => ({ ...state, ...part }));
  const moveTo = (id: string) => {
    change({ cursorId: id, anchorId: id });
    requestFocus();
    if (latest.current.isPanelOpen) latest.current.open(id);
  };
  const rangeTo = (from: string | null, to: string): string[] => {
    const { ids, indexOf } = latest.current;
    const end = indexOf.get(to) ?? 0;
    const start = (from === null ? undefined : indexOf.get(from)) ?? end;
    return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
  };
  const idAt = (step: number) => {
    const { ids, indexOf, cursorId } = latest.current;
    const index = cursorId === null ? undefined : indexOf.get(cursorId);
    if (index === undefined) return ids[0];
    return ids[Math.min(Math.max(index + step, 0), ids.length - 1)];
  };
  const selectTo = (id: string) => {
    setState((state) => {
      const anchorId = state.anchorId ?? latest.current.cursorId;
      return {
        ...state,
        anchorId,
        cursorId: id,
        selectedIds: new Set([...state.selectedIds, ...rangeTo(anchorId, id)]),
      };
    });
    requestFocus();
  };
  return {
    move: (step) => {
      const id = idAt(step);
      if (id !== undefined) moveTo(id);
    },
    moveTo,
    touch: (id) => change({ cursorId: id }),
    open: (id) => {
      change({ cursorId: id, anchorId: id });
      latest.current.open(id);
    },
    toggle: (id) =>
      setState((state) => ({
        ...state,
        cursorId: id,
        anchorId: id,
        selectedIds: state.selectedIds.has(id)
          ? new Set([...state.selectedIds].filter((other) => other !== id))
          : new Set([...state.selectedIds, id]),
      })),
    selectTo,
    extend: (step) => {
      const id = idAt(step);
      if (id !== undefined) selectTo(id);
    },
    selectAll: () => change({ selectedIds: new Set(latest.current.ids) }),
    clearSelection: () => change({ selectedIds: new Set() }),
    startEdit: (id) => change({ cursorId: id, editingId: id }),
    stopEdit: ({ returnsFocus }) => {
      change({ editingId: null });
      if (returnsFocus) requestFocus();
    },
    claimFocus: (request) => {
      if (request <= claimedRequest) return false;
      claimedRequest = request;
      return true;
    },
    targetsOf: (id) => {
      const { selectedIds } = latest.current;
      return selectedIds.has(id) ? [...selectedIds] : [id];
    },
    leave: (leaving) => {
      const { ids, indexOf, cursorId } = latest.current;
      if (cursorId === null || !leaving.includes(cursorId)) return;
      const index = indexOf.get(cursorId) ?? 0;
      const isStaying = (id: string) => !leaving.includes(id);
      const next = ids.slice(index + 1).find(isStaying) ?? ids.slice(0, index).findLast(isStaying);
      if (next === undefined) return;
      change({ cursorId: next, anchorId: next });
      requestFocus();
    },
  };
}

function sameId(id: string): string {
  return id;
}

function idNear(ids: readonly string[], index: number): string | null {
  return ids[Math.min(index, ids.length - 1)] ?? null;
}
