import { useEffect, useMemo, useRef } from "react";
import { useClient } from "../../../client/use-client.ts";
import { TOUCH, useMediaQuery } from "../../../browser/use-media-query.ts";
import { openFileMenu } from "./file-menu.tsx";
import { TreeRowView, type RowActions } from "./file-row.tsx";
import type { FilesPaneProps } from "./files-pane-props.ts";
import { revealPath, setFolderOpen, useOpenFolders } from "./open-folders.ts";
import { useMissingTexts } from "../offline/kept-ids.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useFileCursor } from "./use-file-cursor.ts";
import { useFileDrop } from "./use-file-drop.ts";
import { useFileShortcuts } from "./use-file-shortcuts.ts";
import { parentOf } from "../vault/vault-path.ts";
import { flattenTree, type TreeRow } from "../vault/vault-tree.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const ROW_PX = 36;
const TOUCH_ROW_PX = 48;

/** The folders and files of the vault. */
export function FileTree({ vault, openId, openPath, renaming, onOpen, onNewNote, onNewFolder }: FilesPaneProps) {
  const client = useClient();
  const openFolders = useOpenFolders();
  const isMissing = useMissingTexts();
  const isTouch = useMediaQuery(TOUCH);
  const rows = useMemo(() => flattenTree(vault.tree, openFolders), [vault.tree, openFolders]);
  const byPath = useMemo(() => new Map(rows.map((row) => [row.path, row])), [rows]);
  const cursor = useFileCursor(rows);
  const drop = useFileDrop();
  useCursorAt(openId, openPath, cursor.actions.touch);
  useRenaming(renaming, cursor.actions.startRename);

  const activate = (path: string) => {
    const row = byPath.get(path);
    if (row?.kind === "folder") setFolderOpen(path, !row.isOpen);
    else if (row !== undefined) onOpen(row.document.id);
  };
  const cursorRow = cursor.cursor === null ? undefined : byPath.get(cursor.cursor);
  const folder = cursorRow?.kind === "folder" ? cursorRow : null;
  useFileShortcuts({ cursor, folder, isTree: true, activate });

  const actions = useRowActions({
    cursor: cursor.actions,
    activate,
    openMenu: (anchor, path) =>
      openFileMenu(client, anchor, {
        path,
        folder: folderOf(byPath.get(path)),
        actions: cursor.actions,
        onNewNote,
        onNewFolder,
      }),
  });
  return (
    <>
      <VirtualRows
        label="Files"
        rows={rows}
        rowPx={isTouch ? TOUCH_ROW_PX : ROW_PX}
        cursor={cursor.cursor}
        focusRequest={cursor.focusRequest}
        openId={openId}
        isComplete={vault.isComplete}
        drop={drop}
        renderRow={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <TreeRowView
              row={row}
              isCursor={row.path === cursor.tabStop}
              isSelected={cursor.selected.has(row.path)}
              isSelecting={cursor.selected.size > 0}
              isRenaming={row.path === cursor.renaming}
              isOpenDocument={row.path === openPath}
              isDropTarget={row.path === drop.over}
              isTouch={isTouch}
              isMissing={row.kind === "file" && isMissing(row.document)}
              actions={actions}
            />
          );
        }}
      />
      <SelectionBar cursor={cursor} />
    </>
  );
}

/** Moves the cursor to a document when it is opened, and keeps the folders above it unfolded. */
function useCursorAt(openId: string | undefined, openPath: string | null, touch: (path: string) => void): void {
  const reachedId = useRef<string>(undefined);
  useEffect(() => {
    if (openPath === null) return;
    revealPath(openPath);
    if (openId !== reachedId.current) touch(openPath);
    reachedId.current = openId;
  }, [openId, openPath, touch]);
}

function useRenaming(path: string | null, startRename: (path: string) => void): void {
  useEffect(() => {
    if (path === null) return;
    revealPath(path);
    startRename(path);
  }, [path, startRename]);
}

/** The same object for as long as the list lives, so that rows re-render only for their own changes. */
export function useRowActions(actions: RowActions): RowActions {
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

function folderOf(row: TreeRow | undefined): string {
  if (row === undefined) return "";
  return row.kind === "folder" ? row.path : parentOf(row.path);
}
