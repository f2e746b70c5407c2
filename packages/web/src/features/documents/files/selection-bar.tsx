import { FolderInput, Trash2, X } from "lucide-react";
import { useClient } from "../../../client/use-client.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { pickFolder } from "./file-menu.tsx";
import type { FileCursor } from "./use-file-cursor.ts";
import { deleteEntries } from "../vault/vault-actions.ts";

/** Actions on the selected files. */
export function SelectionBar({ cursor: { selected, actions } }: { readonly cursor: FileCursor }) {
  const client = useClient();
  if (selected.size === 0) return null;
  const paths = [...selected];
  return (
    <div
      role="toolbar"
      aria-label="Selected files"
      className="animate-fade flex shrink-0 items-center gap-1 border-t border-border bg-raised px-2 py-1.5 text-13"
    >
      <span className="tabular flex-1 pl-1 text-strong">{selected.size} selected</span>
      <Button
        size="small"
        tone="ghost"
        icon={<FolderInput aria-hidden size={14} />}
        onClick={(event) => pickFolder(client, event.currentTarget, paths)}
      >
        Move
      </Button>
      <Button
        size="small"
        tone="danger"
        icon={<Trash2 aria-hidden size={14} />}
        onClick={() => {
          actions.clearSelection();
          actions.leave(paths);
          void deleteEntries(client, paths);
        }}
      >
        Delete
      </Button>
      <IconButton size="small" label="Clear the selection" icon={<X size={14} />} onClick={actions.clearSelection} />
    </div>
  );
}
