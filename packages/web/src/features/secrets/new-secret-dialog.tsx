import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { Field, InputField } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { createSecret } from "./secret-actions.ts";
import { SecretValueInput } from "./secret-value-input.tsx";
import { keyProblemOf, toKey, type Secret } from "./secret.ts";

interface NewSecretDialogProps {
  readonly secrets: readonly Secret[];
  readonly onClose: () => void;
}

/** Creates a secret. Closing keeps the name and the description that were typed, but never the value. */
export default function NewSecretDialog({ secrets, onClose }: NewSecretDialogProps) {
  const client = useClient();
  const [key, setKey] = useDraft("secret.new.key");
  const [description, setDescription] = useDraft("secret.new.description");
  const [value, setValue] = useState("");
  const taken = new Set(secrets.map((secret) => secret.key));
  const keyProblem = keyProblemOf(key ?? "", taken);
  const isReady = key !== null && key !== "" && keyProblem === undefined && value !== "";
  const submission = useSubmit(isReady, async () => {
    const text = (description ?? "").trim();
    await createSecret(client, { key: key ?? "", value, description: text === "" ? null : text });
    setKey(null);
    setDescription(null);
    onClose();
  });
  // While the request is in flight, the secret is already in the list.
  const problem = submission.isBusy ? undefined : keyProblem;
  return (
    <FormDialog title="New secret" submission={submission} submitLabel="Create secret" onClose={onClose}>
      <InputField
        label="Name"
        hint="Agents and programs refer to it by this name, for example GITHUB_TOKEN."
        error={problem}
        autoFocus
        required
        autoComplete="off"
        spellCheck={false}
        value={key ?? ""}
        className="font-mono text-13"
        onChange={(event) => setKey(toKey(event.target.value))}
      />
      <Field label="Value" hint="Encrypted on the server. It is shown only on request, and every access is recorded.">
        {(control) => <SecretValueInput control={control} value={value} onChange={setValue} />}
      </Field>
      <InputField
        label="Description"
        hint="What it is for. Optional."
        autoComplete="off"
        maxLength={1_000}
        value={description ?? ""}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
