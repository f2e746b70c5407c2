import { useEffect, useMemo, useRef } from "react";
import { TOUCH, useMediaQuery } from "../../../browser/use-media-query.ts";
import { useClient } from "../../../client/use-client.ts";
import type { Document } from "../document.ts";
import { useMissingTexts } from "../offline/kept-ids.ts";
import type { FolderRow } from "../vault/vault-tree.ts";
import { openFileMenu } from "./file-menu.tsx";
import type { RowActions, RowState } from "./file-row.tsx";
import type { FilesPaneProps } from "./files-pane-props.ts";
import { useFileCursor, type FileCursor, type FileRowKey } from "./use-file-cursor.ts";
import { useFileDrop, type FileDrop } from "./use-file-drop.ts";
import { useFileShortcuts } from "./use-file-shortcuts.ts";

interface FileRowsOptions {
  readonly rows: readonly FileRowKey[];
  readonly isTree: boolean;
  /** The row of a folder at a path; only in a tree. */
  folderAt(path: string): FolderRow | null;
  /** The folder in which new items are created from a row. */
  folderFor(path: string): string;
  /** Opens a file; folds or unfolds a folder. */
  activate(path: string): void;
}

export interface FileRows {
  readonly cursor: FileCursor;
  readonly drop: FileDrop;
  readonly actions: RowActions;
  readonly isTouch: boolean;
  /** The state of a row, which is of a folder if there is no document. */
  stateOf(row: FileRowKey, document: Pick<Document, "id"> | null): RowState;
}

/** What the tree and the list of files do alike: cursor, shortcuts, menu, drag and drop, and the state of each row. */
export function useFileRows(
  { openPath, onNewNote, onNewFolder }: Pick<FilesPaneProps, "openPath" | "onNewNote" | "onNewFolder">,
  { rows, isTree, folderAt, folderFor, activate }: FileRowsOptions,
): FileRows {
  const client = useClient();
  const isMissing = useMissingTexts();
  const isTouch = useMediaQuery(TOUCH);
  const cursor = useFileCursor(rows);
  const drop = useFileDrop();
  useFileShortcuts({ cursor, folder: cursor.cursor === null ? null : folderAt(cursor.cursor), isTree, activate });
  const actions = useRowActions({
    cursor: cursor.actions,
    activate,
    openMenu: (anchor, path) =>
      openFileMenu(client, anchor, { path, folder: folderFor(path), actions: cursor.actions, onNewNote, onNewFolder }),
  });
  const stateOf: FileRows["stateOf"] = ({ id, path }, document) => ({
    isCursor: path === cursor.tabStop,
    isSelected: cursor.selected.has(path),
    isSelecting: cursor.selected.size > 0,
    isRenaming: id === cursor.renaming,
    isOpenDocument: path === openPath,
    isDropTarget: path === drop.over,
    isTouch,
    isMissing: document !== null && isMissing(document),
  });
  return { cursor, drop, actions, isTouch, stateOf };
}

/** The same object for as long as the list lives, so that rows re-render only for their own changes. */
function useRowActions(actions: RowActions): RowActions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const { cursor } = actions;
  return useMemo(
    () => ({
      cursor,
      activate: (path) => latest.current.activate(path),
      openMenu: (anchor, path) => latest.current.openMenu(anchor, path),
    }),
    [cursor],
  );
}
