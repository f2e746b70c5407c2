import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { deleteSecret } from "./secret-actions.ts";
import type { Secret } from "./secret.ts";

interface DeleteSecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** A deleted value cannot be recovered, so the user has to confirm by typing. */
export default function DeleteSecretDialog({ secret, onClose, onDeleted }: DeleteSecretDialogProps) {
  const client = useClient();
  const [typed, setTyped] = useState("");
  const isConfirmed = typed.trim() === secret.key;
  const { error, isBusy, submit } = useSubmit(isConfirmed, () => deleteSecret(client, secret).then(onDeleted));
  return (
    <Dialog
      title={`Delete ${secret.key}?`}
      description="Its value is destroyed and cannot be recovered. Agents and programs that use it will fail."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={submit}>
        {error !== null && <FormAlert tone="danger">Not deleted. {error}</FormAlert>}
        <InputField
          label={`Type ${secret.key} to delete it`}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          className="font-mono text-13"
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button tone="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" tone="danger" isBusy={isBusy} disabled={!isConfirmed} className="border border-danger">
            Delete permanently
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
