import { useClient } from "../../client/use-client.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { InputField } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { createApiKey } from "./api-key-collection.ts";
import { SCOPE_SETS, type CreatedApiKey, type ScopeSet } from "./api-key.ts";
import { KeyAccessFields, useKeyAccess } from "./key-access-fields.tsx";

interface NewKeyDialogProps {
  /** What the key is for. */
  readonly scopeSet: ScopeSet;
  readonly onCreated: (created: CreatedApiKey) => void;
  readonly onClose: () => void;
}

/** Creates a key: its name, its permissions, and how long it is valid. */
export default function NewKeyDialog({ scopeSet, onCreated, onClose }: NewKeyDialogProps) {
  const client = useClient();
  const [name, setName] = useDraft("api-key.new.name");
  const access = useKeyAccess(SCOPE_SETS[scopeSet].scopes);
  const isReady = (name ?? "").trim() !== "" && access.isReady;

  const submission = useSubmit(isReady, async () => {
    const created = await createApiKey(client, { name: (name ?? "").trim(), ...access.read() });
    setName(null);
    onClose();
    onCreated(created);
  });
  return (
    <FormDialog
      title="New API key"
      submission={submission}
      submitLabel="Create key"
      failure="Not created."
      onClose={onClose}
    >
      <InputField
        label="Name"
        hint="Name what will use it, so that you know later what to revoke."
        autoFocus
        required
        maxLength={200}
        value={name ?? ""}
        placeholder="Claude Code on the laptop"
        onChange={(event) => setName(event.target.value)}
      />
      <KeyAccessFields access={access} />
    </FormDialog>
  );
}
