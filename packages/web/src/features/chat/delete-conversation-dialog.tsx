import { useClient } from "../../client/use-client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";

interface DeleteConversationDialogProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deleting a conversation is permanent, so it asks for confirmation. */
export default function DeleteConversationDialog({ id, title, onClose, onDeleted }: DeleteConversationDialogProps) {
  const client = useClient();
  const remove = async () => {
    await client.api.conversations.delete.mutate({ id });
    void client.queries.invalidateQueries({ queryKey: ["conversations", "list"] });
    onDeleted();
  };
  return (
    <ConfirmDialog
      title="Delete the conversation?"
      description={`“${title}” cannot be restored. Changes made in it are kept.`}
      confirmLabel="Delete permanently"
      failure="Not deleted."
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
