import { useState, type FormEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FormAlert } from "../auth/form-alert.tsx";
import { deleteSecret } from "./secret-actions.ts";
import type { Secret } from "./secret.ts";

interface DeleteSecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** A deleted value is nowhere and cannot come back, hence the one question that is answered by typing. */
export default function DeleteSecretDialog({ secret, onClose, onDeleted }: DeleteSecretDialogProps) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isMeant = typed.trim() === secret.key;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isMeant || isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      await deleteSecret(secret);
      onDeleted();
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={`Delete ${secret.key}?`}
      description="Its value is destroyed and cannot be brought back. Agents and programs that use it will fail."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {error !== null && <FormAlert tone="danger">Not deleted. {error}</FormAlert>}
        <Field label={`Type ${secret.key} to delete it`}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              value={typed}
              className="font-mono text-13"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button tone="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" tone="danger" isBusy={isBusy} disabled={!isMeant} className="border border-danger">
            Delete for good
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
