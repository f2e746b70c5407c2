import { CheckSquare, FilePlus, FolderInput, FolderPlus, Pencil, Trash2, Upload } from "lucide-react";
import { Suspense } from "react";
import type { Client } from "../../../client/client.ts";
import { SHORTCUT_KEYS } from "../../../shortcuts/shortcut-keys.ts";
import { chooseFiles } from "./choose-files.ts";
import type { FileCursorActions } from "./use-file-cursor.ts";
import { deleteEntries, moveEntries } from "../vault/vault-actions.ts";
import { uploads } from "./uploads.ts";
import { floating, type PopupAnchor } from "../../../components/floating.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";

const FolderPicker = lazyPart(() => import("./folder-picker.tsx"));

export interface FileMenuTarget {
  readonly path: string;
  /** The folder in which new items are created from here. */
  readonly folder: string;
  readonly actions: FileCursorActions;
  onNewNote(folder: string): void;
  onNewFolder(folder: string, from: string): void;
}

/** The menu for a file or folder, or for the whole selection. */
export function openFileMenu(
  client: Client,
  place: HTMLElement | PopupAnchor,
  { path, folder, actions, onNewNote, onNewFolder }: FileMenuTarget,
): void {
  const targets = actions.targetsOf(path);
  floating(client).openMenu(place, "Actions", [
    { label: "New note here", icon: <FilePlus size={16} />, run: () => onNewNote(folder) },
    { label: "New folder here", icon: <FolderPlus size={16} />, run: () => onNewFolder(folder, path) },
    { label: "Upload files here…", icon: <Upload size={16} />, run: () => void uploadChosen(client, folder) },
    "separator",
    {
      label: "Rename",
      icon: <Pencil size={16} />,
      keys: SHORTCUT_KEYS.fileRename[0],
      run: () => actions.startRename(path),
    },
    {
      label: "Move to…",
      icon: <FolderInput size={16} />,
      keys: SHORTCUT_KEYS.fileMove[0],
      run: () => pickFolder(client, place, targets),
    },
    {
      label: targets.length > 1 || actions.targetsOf(path).length === 0 ? "Deselect" : "Select",
      icon: <CheckSquare size={16} />,
      keys: SHORTCUT_KEYS.select[0],
      run: () => actions.toggle(path),
    },
    "separator",
    {
      label: targets.length > 1 ? `Delete ${targets.length} items` : "Delete",
      icon: <Trash2 size={16} />,
      keys: SHORTCUT_KEYS.fileDelete[0],
      tone: "danger",
      run: () => deleteAndLeave(client, actions, targets),
    },
  ]);
}

/** Deletes files and folders, and moves the cursor from them, unless none can be deleted. */
export function deleteAndLeave(client: Client, actions: FileCursorActions, paths: readonly string[]): void {
  const comeBack = actions.leave(paths);
  void deleteEntries(client, paths).then((isDeleted) => {
    if (!isDeleted) comeBack();
  });
}

/** Asks for a folder, and moves files and folders there. */
export function pickFolder(client: Client, place: HTMLElement | PopupAnchor, paths: readonly string[]): void {
  floating(client).openPopover(place, "Move to a folder", (close) => (
    <Suspense>
      <FolderPicker
        paths={paths}
        onPick={(folder) => {
          close();
          void moveEntries(client, paths, folder);
        }}
      />
    </Suspense>
  ));
}

export async function uploadChosen(client: Client, folder: string): Promise<void> {
  const files = await chooseFiles();
  if (files.length > 0) await uploads(client).add(files, folder);
}
