import { useState, type FormEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { FormAlert } from "../auth/form-alert.tsx";
import { createSecret } from "./secret-actions.ts";
import { SecretValueInput } from "./secret-value-input.tsx";
import { keyProblemOf, toKey, type Secret } from "./secret.ts";

interface NewSecretDialogProps {
  readonly secrets: readonly Secret[];
  readonly onClose: () => void;
}

/** A new secret. Closing keeps the name and the description that were typed, and never the value. */
export default function NewSecretDialog({ secrets, onClose }: NewSecretDialogProps) {
  const [key, setKey] = useDraft("secret.new.key");
  const [description, setDescription] = useDraft("secret.new.description");
  const [value, setValue] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const taken = new Set(secrets.map((secret) => secret.key));
  const problem = isBusy ? undefined : keyProblemOf(key ?? "", taken);
  const isReady = key !== null && key !== "" && problem === undefined && value !== "";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setError(null);
    const text = (description ?? "").trim();
    try {
      await createSecret({ key, value, description: text === "" ? null : text });
      setKey(null);
      setDescription(null);
      onClose();
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title="New secret" onClose={onClose}>
      <form className="flex flex-col gap-4" autoComplete="off" onSubmit={(event) => void submit(event)}>
        {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
        <Field label="Name" hint="By this name agents and programs ask for it, such as GITHUB_TOKEN." error={problem}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              required
              autoComplete="off"
              spellCheck={false}
              value={key ?? ""}
              className="font-mono text-13"
              onChange={(event) => setKey(toKey(event.target.value))}
            />
          )}
        </Field>
        <Field
          label="Value"
          hint="Encrypted on the server. It is shown only when asked for, and every look is recorded."
        >
          {(control) => <SecretValueInput control={control} value={value} onChange={setValue} />}
        </Field>
        <Field label="Description" hint="What it is for. Optional.">
          {(control) => (
            <Input
              {...control}
              maxLength={1_000}
              value={description ?? ""}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button tone="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" tone="primary" isBusy={isBusy} disabled={!isReady}>
            Create secret
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
