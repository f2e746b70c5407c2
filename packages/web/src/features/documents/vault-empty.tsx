import { FilePlus, NotebookText } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { VAULT_ROOT } from "./vault-path.ts";

/** The empty state of the vault. */
export function VaultEmpty({ onNewNote }: { readonly onNewNote: (folder: string) => void }) {
  return (
    <EmptyState
      icon={<NotebookText size={20} />}
      title="Your vault is empty"
      action={
        <Button
          tone="primary"
          icon={<FilePlus aria-hidden size={16} />}
          shortcut="create"
          onClick={() => onNewNote(VAULT_ROOT)}
        >
          Create a note
        </Button>
      }
    >
      Notes are Markdown files on your own disk. Create the first one, or drop files here.
    </EmptyState>
  );
}
