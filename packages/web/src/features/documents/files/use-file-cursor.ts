import { useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "../../../client/use-client.ts";
import { isWithin, rebase } from "../vault/vault-path.ts";
import { vaultMoves } from "../vault/vault-store.ts";

/**
 * Everything is kept by key: the id of a document, so that it is followed wherever it is moved; the path of a folder, or of a
 * document that has not been loaded yet.
 */
interface CursorState {
  readonly cursor: string | null;
  /** Where a range selection started. */
  readonly anchor: string | null;
  readonly selected: ReadonlySet<string>;
  readonly renaming: string | null;
}

const NOTHING: CursorState = { cursor: null, anchor: null, selected: new Set(), renaming: null };

/** A visible row: `id` is the id of a document, or the path of a folder. */
export interface FileRowKey {
  readonly id: string;
  readonly path: string;
}

export interface FileCursor {
  /** The path that keyboard actions apply to; null if there is none, or if its row has disappeared. */
  readonly cursor: string | null;
  /** The row that Tab reaches: the one under the cursor, or near where it was. */
  readonly tabStop: string | undefined;
  /** The paths of the selected rows that are visible. */
  readonly selected: ReadonlySet<string>;
  /** The id of the row whose name is being edited. Another one may have the same path, such as that of a note which is still to be created. */
  readonly renaming: string | null;
  /** Incremented when the keyboard has moved the cursor and the focus must follow. */
  readonly focusRequest: number;
  readonly actions: FileCursorActions;
}

/** What rows and shortcuts can do with the cursor. The object is stable, so rows do not re-render because of it. */
export interface FileCursorActions {
  /** Moves the cursor by `step` rows. */
  move(step: number): void;
  moveTo(path: string): void;
  /** Moves to the next row, because these are about to be deleted. Returns a function that comes back, unless the user has gone on. */
  leave(paths: readonly string[]): () => void;
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

/**
 * The keyboard cursor among files and folders, and the selection. `rows` are the visible ones in order. The cursor follows its
 * file, whoever moves it, and never passes to a neighbour by itself: an action on a file that has disappeared does nothing.
 */
export function useFileCursor(rows: readonly FileRowKey[]): FileCursor {
  const client = useClient();
  const [state, setState] = useState(NOTHING);
  const [focusRequest, setFocusRequest] = useState(0);
  const [lastIndex, setLastIndex] = useState(0);
  const visible = useMemo(() => indexRows(rows), [rows]);
  const cursor = visible.pathOf(state.cursor);
  const index = cursor === null ? undefined : visible.indexOf.get(cursor);
  // Remembered for when the row under the cursor disappears: moving continues from there.
  if (index !== undefined && index !== lastIndex) setLastIndex(index);
  const selected = useMemo(
    () => new Set([...state.selected].map(visible.pathOf).filter((path) => path !== null)),
    [state.selected, visible],
  );
  const latest = useRef({ ...visible, cursor, lastIndex, selected });
  useEffect(() => {
    latest.current = { ...visible, cursor, lastIndex, selected };
  });
  useEffect(
    () => vaultMoves(client).add(({ from, to }) => setState((old) => mapKeys(old, (key) => rebase(key, from, to)))),
    [client],
  );
  // oxlint-disable-next-line react/refs -- The actions read the ref when they are called, never while rendering.
  const [actions] = useState(() => createActions(latest, setState, () => setFocusRequest((count) => count + 1)));
  const tabStop = cursor ?? visible.paths[Math.min(lastIndex, rows.length - 1)];
  return { cursor, tabStop, selected, renaming: visible.idOf(state.renaming), focusRequest, actions };
}

interface VisibleRows {
  readonly paths: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  keyOf(path: string): string;
  pathOf(key: string | null): string | null;
  idOf(key: string | null): string | null;
}

function indexRows(rows: readonly FileRowKey[]): VisibleRows {
  const paths = rows.map(({ path }) => path);
  const indexOf = new Map(paths.map((path, index) => [path, index]));
  const pathById = new Map(rows.map(({ id, path }) => [id, path]));
  const keyOf = (path: string) => rows[indexOf.get(path) ?? -1]?.id ?? path;
  return {
    paths,
    indexOf,
    keyOf,
    idOf: (key) => (key === null || pathById.has(key) ? key : indexOf.has(key) ? keyOf(key) : null),
    pathOf: (key) => (key === null ? null : (pathById.get(key) ?? (indexOf.has(key) ? key : null))),
  };
}

function mapKeys({ cursor, anchor, selected, renaming }: CursorState, change: (key: string) => string): CursorState {
  const changed = (key: string | null) => (key === null ? null : change(key));
  return {
    cursor: changed(cursor),
    anchor: changed(anchor),
    selected: new Set([...selected].map(change)),
    renaming: changed(renaming),
  };
}

interface Latest extends VisibleRows {
  readonly cursor: string | null;
  /** Where the cursor is, or was before its row disappeared. */
  readonly lastIndex: number;
  readonly selected: ReadonlySet<string>;
}

function createActions(
  latest: { readonly current: Latest },
  setState: (change: (state: CursorState) => CursorState) => void,
  requestFocus: () => void,
): FileCursorActions {
  const change = (part: Partial<CursorState>) => setState((state) => ({ ...state, ...part }));
  const keyOf = (path: string) => latest.current.keyOf(path);
  const pathAt = (step: number): string | undefined => {
    const { paths, cursor, lastIndex } = latest.current;
    // If the row has disappeared, the next one is already in its place.
    const index = cursor === null && step > 0 ? lastIndex + step - 1 : lastIndex + step;
    return paths[Math.min(Math.max(index, 0), paths.length - 1)];
  };
  const keysBetween = (from: string | null, to: string): string[] => {
    const { paths, indexOf, pathOf } = latest.current;
    const end = indexOf.get(to) ?? 0;
    const start = indexOf.get(pathOf(from) ?? "") ?? end;
    return paths.slice(Math.min(start, end), Math.max(start, end) + 1).map(keyOf);
  };
  const moveTo = (path: string) => {
    change({ cursor: keyOf(path), anchor: keyOf(path) });
    requestFocus();
  };
  const selectTo = (path: string) => {
    const { cursor } = latest.current;
    setState((state) => {
      const anchor = state.anchor ?? (cursor === null ? null : keyOf(cursor));
      return { ...state, anchor, cursor: keyOf(path), selected: new Set(keysBetween(anchor, path)) };
    });
    requestFocus();
  };
  return {
    move: (step) => {
      const path = pathAt(step);
      if (path !== undefined) moveTo(path);
    },
    moveTo,
    touch: (path) => change({ cursor: keyOf(path), anchor: keyOf(path) }),
    follow: (path) => change({ cursor: keyOf(path) }),
    toggle: (path) =>
      setState((state) => ({
        ...state,
        cursor: keyOf(path),
        anchor: keyOf(path),
        selected: withToggled(state, keyOf(path)),
      })),
    selectTo,
    extend: (step) => {
      const path = pathAt(step);
      if (path !== undefined) selectTo(path);
    },
    selectAll: () => change({ selected: new Set(latest.current.paths.map(keyOf)) }),
    clearSelection: () => change({ selected: new Set(), anchor: null }),
    startRename: (path) => change({ cursor: keyOf(path), renaming: keyOf(path) }),
    stopRename: () => {
      change({ renaming: null });
      requestFocus();
    },
    leave: (leaving) => {
      const { paths, cursor, lastIndex } = latest.current;
      const isStaying = (path: string) => !leaving.some((other) => isWithin(path, other));
      if (cursor === null || isStaying(cursor)) return () => undefined;
      const next = paths.slice(lastIndex + 1).find(isStaying) ?? paths.slice(0, lastIndex).findLast(isStaying);
      if (next !== undefined) moveTo(next);
      return () => {
        const { activeElement } = document;
        const isInList = activeElement === document.body || activeElement?.matches("[role=treeitem]") === true;
        if (isInList && [cursor, next, null].includes(latest.current.cursor)) moveTo(cursor);
      };
    },
    targetsOf: (path) => {
      const { selected } = latest.current;
      return selected.has(path) ? [...selected] : [path];
    },
  };
}

function withToggled({ anchor, selected }: CursorState, key: string): ReadonlySet<string> {
  if (selected.size === 0) return new Set(anchor === null ? [key] : [anchor, key]);
  const toggled = new Set(selected);
  if (!toggled.delete(key)) toggled.add(key);
  return toggled;
}
