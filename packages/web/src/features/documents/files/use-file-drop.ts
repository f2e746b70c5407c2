import { useEffect, useRef, useState, type DragEvent } from "react";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";
import { filesOf } from "./dropped-files.ts";
import { setFolderOpen } from "./open-folders.ts";
import { moveEntries } from "../vault/vault-actions.ts";
import { VAULT_ROOT } from "../vault/vault-path.ts";
import { uploads } from "./uploads.ts";

const TYPE = "application/x-workspace-paths";
const OPEN_AFTER_MS = 650;

export interface FileDrop {
  /** The folder that would receive the drop; null if nothing is dragged over. */
  readonly over: string | null;
  readonly handlers: {
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
}

/** Starts dragging files and folders of the vault. */
export function startFileDrag({ dataTransfer }: DragEvent, paths: readonly string[]): void {
  dataTransfer.setData(TYPE, JSON.stringify(paths));
  dataTransfer.effectAllowed = "move";
}

/**
 * Handles drops on a list: files of the vault are moved, files from outside are uploaded. Rows name their folder in
 * `data-folder`; a closed folder opens when the pointer rests on it.
 */
export function useFileDrop(): FileDrop {
  const client = useClient();
  const [over, setOver] = useState<string | null>(null);
  const openTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(openTimer.current), []);

  const enter = (folder: string | null) => {
    if (folder === over) return;
    setOver(folder);
    clearTimeout(openTimer.current);
    if (folder !== null && folder !== VAULT_ROOT) {
      openTimer.current = setTimeout(() => setFolderOpen(folder, true), OPEN_AFTER_MS);
    }
  };
  return {
    over,
    handlers: {
      onDragOver: (event) => {
        const { types } = event.dataTransfer;
        if (!types.includes(TYPE) && !types.includes("Files")) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = types.includes(TYPE) ? "move" : "copy";
        enter(folderAt(event.target));
      },
      onDragLeave: ({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) enter(null);
      },
      onDrop: (event) => {
        event.preventDefault();
        enter(null);
        void takeDrop(client, event.dataTransfer, folderAt(event.target));
      },
    },
  };
}

async function takeDrop(client: Client, transfer: DataTransfer, folder: string): Promise<void> {
  const moved: unknown = JSON.parse(transfer.getData(TYPE) || "null");
  if (Array.isArray(moved)) {
    const paths = moved.filter((path) => typeof path === "string");
    await moveEntries(client, paths, folder);
    return;
  }
  const files = await filesOf(transfer);
  if (files.length > 0) await uploads(client).add(files, folder);
}

function folderAt(target: EventTarget): string {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-folder]") : null;
  return row?.dataset["folder"] ?? VAULT_ROOT;
}
