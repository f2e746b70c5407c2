import { useEffect, useMemo, useRef, useState } from "react";

interface CursorState {
  /** The path that keyboard actions apply to. */
  readonly cursor: string | null;
  /** Where a range selection started. */
  readonly anchor: string | null;
  readonly selected: ReadonlySet<string>;
  readonly renaming: string | null;
}

const NOTHING: CursorState = { cursor: null, anchor: null, selected: new Set(), renaming: null };

export interface FileCursor extends Omit<CursorState, "anchor"> {
  /** Incremented when the keyboard has moved the cursor and the focus must follow. */
  readonly focusRequest: number;
  readonly actions: FileCursorActions;
}

/** What rows and shortcuts can do with the cursor. The object is stable, so rows do not re-render because of it. */
export interface FileCursorActions {
  /** Moves the cursor by `step` rows. */
  move(step: number): void;
  moveTo(path: string): void;
  /** Moves the focus to the row under the cursor, for example because the focused row has disappeared. */
  refocus(): void;
  /** Puts the cursor on a row without moving the focus, and makes it the start of a range selection. */
  touch(path: string): void;
  /** Moves the cursor to a row that received the focus by other means; the start of a range selection stays. */
  follow(path: string): void;
  /** Selects or deselects a row. When the selection starts, the row touched before is selected too. */
  toggle(path: string): void;
  /** Selects the range from the start of the last selection to this row. */
  selectTo(path: string): void;
  extend(step: number): void;
  selectAll(): void;
  clearSelection(): void;
  startRename(path: string): void;
  stopRename(): void;
  /** The paths that an action on this one applies to: the whole selection if it is part of it. */
  targetsOf(path: string): readonly string[];
}

/** The keyboard cursor among files and folders, and the selection. `paths` are the visible rows in order. */
export function useFileCursor(paths: readonly string[]): FileCursor {
  const [state, setState] = useState(NOTHING);
  const [focusRequest, setFocusRequest] = useState(0);
  const [lastIndex, setLastIndex] = useState(0);
  const indexOf = useMemo(() => new Map(paths.map((path, index) => [path, index])), [paths]);
  const index = state.cursor === null ? undefined : indexOf.get(state.cursor);
  // Remembered for when the row under the cursor disappears: the cursor then stays at the same index.
  if (index !== undefined && index !== lastIndex) setLastIndex(index);
  const cursor =
    index === undefined && state.cursor !== null
      ? (paths[Math.min(lastIndex, paths.length - 1)] ?? null)
      : state.cursor;
  const selected = useMemo(
    () => new Set([...state.selected].filter((path) => indexOf.has(path))),
    [state.selected, indexOf],
  );

  const latest = useRef({ paths, indexOf, cursor, selected });
  useEffect(() => {
    latest.current = { paths, indexOf, cursor, selected };
  });
  // oxlint-disable-next-line react/refs -- The actions read the ref when they are called, never while rendering.
  const [actions] = useState(() => createActions(latest, setState, () => setFocusRequest((count) => count + 1)));
  return { cursor, selected, renaming: state.renaming, focusRequest, actions };
}

interface Latest {
  readonly paths: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly cursor: string | null;
  readonly selected: ReadonlySet<string>;
}

function createActions(
  latest: { readonly current: Latest },
  setState: (change: (state: CursorState) => CursorState) => void,
  requestFocus: () => void,
): FileCursorActions {
  const change = (part: Partial<CursorState>) => setState((state) => ({ ...state, ...part }));
  const pathAt = (step: number): string | undefined => {
    const { paths, indexOf, cursor } = latest.current;
    const index = cursor === null ? undefined : indexOf.get(cursor);
    return index === undefined ? paths[0] : paths[Math.min(Math.max(index + step, 0), paths.length - 1)];
  };
  const rangeTo = (from: string | null, to: string): string[] => {
    const { paths, indexOf } = latest.current;
    const end = indexOf.get(to) ?? 0;
    const start = (from === null ? undefined : indexOf.get(from)) ?? end;
    return paths.slice(Math.min(start, end), Math.max(start, end) + 1);
  };
  const moveTo = (path: string) => {
    change({ cursor: path, anchor: path });
    requestFocus();
  };
  const selectTo = (path: string) => {
    setState((state) => {
      const anchor = state.anchor ?? latest.current.cursor;
      return { ...state, anchor, cursor: path, selected: new Set(rangeTo(anchor, path)) };
    });
    requestFocus();
  };
  return {
    move: (step) => {
      const path = pathAt(step);
      if (path !== undefined) moveTo(path);
    },
    moveTo,
    refocus: requestFocus,
    touch: (path) => change({ cursor: path, anchor: path }),
    follow: (path) => change({ cursor: path }),
    toggle: (path) =>
      setState((state) => ({ ...state, cursor: path, anchor: path, selected: withToggled(state, path) })),
    selectTo,
    extend: (step) => {
      const path = pathAt(step);
      if (path !== undefined) selectTo(path);
    },
    selectAll: () => change({ selected: new Set(latest.current.paths) }),
    clearSelection: () => change({ selected: new Set(), anchor: null }),
    startRename: (path) => change({ cursor: path, renaming: path }),
    stopRename: () => {
      change({ renaming: null });
      requestFocus();
    },
    targetsOf: (path) => {
      const { selected } = latest.current;
      return selected.has(path) ? [...selected] : [path];
    },
  };
}

function withToggled({ anchor, selected }: CursorState, path: string): ReadonlySet<string> {
  if (selected.size === 0) return new Set(anchor === null ? [path] : [anchor, path]);
  const toggled = new Set(selected);
  if (!toggled.delete(path)) toggled.add(path);
  return toggled;
}
