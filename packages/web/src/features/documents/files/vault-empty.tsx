import { FilePlus, NotebookText } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { useClient } from "../../../client/use-client.ts";
import { dialogs } from "../../shell/dialogs.ts";
import { VAULT_ROOT } from "../vault/vault-path.ts";

/** The empty state of the vault. */
export function VaultEmpty({ onNewNote }: { readonly onNewNote: (folder: string) => void }) {
  const client = useClient();
  return (
    <EmptyState
      icon={<NotebookText size={20} />}
      title="Your vault is empty"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button
            tone="primary"
            icon={<FilePlus aria-hidden size={16} />}
            shortcut="create"
            onClick={() => onNewNote(VAULT_ROOT)}
          >
            Create a note
          </Button>
          <Button onClick={() => dialogs(client).open({ kind: "import-notes" })}>Import notes</Button>
        </div>
      }
    >
      Notes are Markdown files on your own disk. Create the first one, or drop files here.
    </EmptyState>
  );
}
