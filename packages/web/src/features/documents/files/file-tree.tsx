import { useEffect, useMemo, useRef } from "react";
import { useStore } from "../../../client/store.ts";
import { useClient } from "../../../client/use-client.ts";
import { TreeRowView } from "./file-row.tsx";
import type { FilesPaneProps } from "./files-pane-props.ts";
import { revealPath, setFolderOpen, useOpenFolders } from "./open-folders.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useFileRows } from "./use-file-rows.ts";
import { newFolder } from "../vault/new-folder.ts";
import { parentOf } from "../vault/vault-path.ts";
import { flattenTree } from "../vault/vault-tree.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const ROW_PX = 36;
const TOUCH_ROW_PX = 48;

/** The folders and files of the vault. */
export function FileTree(props: FilesPaneProps) {
  const { vault, openId, openPath, onOpen } = props;
  const openFolders = useOpenFolders();
  const rows = useMemo(() => flattenTree(vault.tree, openFolders), [vault.tree, openFolders]);
  const byPath = useMemo(() => new Map(rows.map((row) => [row.path, row])), [rows]);
  const folderAt = (path: string) => {
    const row = byPath.get(path);
    return row?.kind === "folder" ? row : null;
  };
  const { cursor, drop, actions, isTouch, stateOf } = useFileRows(props, {
    rows,
    isTree: true,
    folderAt,
    folderFor: (path) => folderAt(path)?.path ?? parentOf(path),
    activate: (path) => {
      const row = byPath.get(path);
      if (row?.kind === "folder") setFolderOpen(path, !row.isOpen);
      else if (row !== undefined) onOpen(row.document.id);
    },
  });
  useCursorAt(openId, openPath, cursor.actions.touch);
  useNamingOfFolder(cursor.actions.startRename);
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
          const state = stateOf(row, row.kind === "file" ? row.document : null);
          return <TreeRowView row={row} actions={actions} {...state} />;
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

/** Has a new folder named as soon as it is shown. */
function useNamingOfFolder(startRename: (path: string) => void): void {
  const folder = useStore(newFolder(useClient()));
  useEffect(() => {
    if (folder === null) return;
    revealPath(folder.path);
    startRename(folder.path);
  }, [folder, startRename]);
}
