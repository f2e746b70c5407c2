import { useState } from "react";
import { queryClient } from "../../api/query-client.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FormAlert } from "../auth/form-alert.tsx";

interface DeleteConversationDialogProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** A conversation is deleted for good, so it is asked about first. */
export default function DeleteConversationDialog({ id, title, onClose, onDeleted }: DeleteConversationDialogProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const remove = async () => {
    setIsBusy(true);
    setError(null);
    try {
      await trpcClient.conversations.delete.mutate({ id });
      void queryClient.invalidateQueries({ queryKey: ["conversations", "list"] });
      onDeleted();
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title="Delete the conversation?"
      description={`“${title}” cannot be brought back. What was done in it stays.`}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {error !== null && <FormAlert tone="danger">Not deleted. {error}</FormAlert>}
        <div className="flex justify-end gap-2">
          <Button tone="ghost" autoFocus onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger" isBusy={isBusy} className="border border-danger" onClick={() => void remove()}>
            Delete for good
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
