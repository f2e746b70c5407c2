import { useClient } from "../../../client/use-client.ts";
import { useShortcut } from "../../../shortcuts/use-shortcut.ts";
import { deleteAndLeave, pickFolder } from "./file-menu.tsx";
import { setFolderOpen } from "./open-folders.ts";
import type { FileCursor } from "./use-file-cursor.ts";
import { parentOf, VAULT_ROOT } from "../vault/vault-path.ts";
import type { FolderRow } from "../vault/vault-tree.ts";

interface FileShortcuts {
  readonly cursor: FileCursor;
  /** The folder under the cursor; only in a tree. */
  readonly folder: FolderRow | null;
  readonly isTree: boolean;
  activate(path: string): void;
}

/** The shortcuts in a list of files: moving, selecting, folding, and actions on the file under the cursor. */
export function useFileShortcuts({
  cursor: { cursor, selected, actions },
  folder,
  isTree,
  activate,
}: FileShortcuts): void {
  const client = useClient();
  const onCursor = (act: (path: string) => void) => () => {
    if (cursor === null) return false;
    act(cursor);
    return true;
  };
  useShortcut("next", () => actions.move(1));
  useShortcut("previous", () => actions.move(-1));
  useShortcut("extendDown", () => actions.extend(1));
  useShortcut("extendUp", () => actions.extend(-1));
  useShortcut(
    "select",
    onCursor((path) => {
      actions.touch(path);
      actions.toggle(path);
    }),
  );
  useShortcut("selectAll", () => actions.selectAll());
  useShortcut("fileOpen", onCursor(activate));
  useShortcut("fileRename", onCursor(actions.startRename));
  useShortcut(
    "fileMove",
    onCursor((path) => pickFolder(client, rowOf(path), actions.targetsOf(path))),
  );
  useShortcut(
    "fileDelete",
    onCursor((path) => {
      const targets = actions.targetsOf(path);
      actions.clearSelection();
      deleteAndLeave(client, actions, targets);
    }),
  );
  useShortcut("back", () => actions.clearSelection(), { isEnabled: selected.size > 0 });
  useFolding({ cursor, folder, isTree, actions });
}

/** Right expands a folder or moves into it; left collapses it or moves to its parent. */
function useFolding({
  cursor,
  folder,
  isTree,
  actions,
}: Pick<FileShortcuts, "folder" | "isTree"> & Pick<FileCursor, "cursor" | "actions">): void {
  useShortcut(
    "folderOpen",
    () => {
      if (folder === null) return;
      if (folder.isOpen) actions.move(1);
      else setFolderOpen(folder.path, true);
    },
    { isEnabled: isTree },
  );
  useShortcut(
    "folderClose",
    () => {
      if (cursor === null) return;
      if (folder?.isOpen === true) setFolderOpen(cursor, false);
      else if (parentOf(cursor) !== VAULT_ROOT) actions.moveTo(parentOf(cursor));
    },
    { isEnabled: isTree },
  );
}

/** The row under the cursor, as the anchor for a picker. */
function rowOf(path: string): HTMLElement {
  return document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`) ?? document.body;
}
