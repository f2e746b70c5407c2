import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { InputField } from "../../components/field.tsx";
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
  const submission = useSubmit(isConfirmed, () => deleteSecret(client, secret).then(onDeleted));
  return (
    <FormDialog
      title={`Delete ${secret.key}?`}
      description="Its value is destroyed and cannot be recovered. Agents and programs that use it will fail."
      submission={submission}
      submitLabel="Delete permanently"
      failure="Not deleted."
      isDangerous
      onClose={onClose}
    >
      <InputField
        label={`Type ${secret.key} to delete it`}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={typed}
        className="font-mono text-13"
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
