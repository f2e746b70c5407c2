import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { Field, InputField, Select } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { toggled } from "../../lists/choices.ts";
import type { Scope } from "../../resources/resources.ts";
import { createApiKey } from "./api-key-collection.ts";
import {
  expiryAfter,
  hasDocuments,
  LIFETIMES,
  SCOPE_LABELS,
  SCOPE_SET_NAMES,
  SCOPE_SETS,
  SCOPES,
  type CreatedApiKey,
  type ScopeSet,
} from "./api-key.ts";

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
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPE_SETS[scopeSet].scopes);
  const [folder, setFolder] = useState("");
  const [lifetime, setLifetime] = useState(1);
  const isReady = (name ?? "").trim() !== "" && scopes.length > 0;

  const submission = useSubmit(isReady, async () => {
    const expiresAt = expiryAfter(LIFETIMES[lifetime]?.days ?? null, new Date());
    const created = await createApiKey(client, {
      name: (name ?? "").trim(),
      scopes: [...scopes],
      expiresAt,
      ...(folder.trim() !== "" && hasDocuments(scopes) && { folder: folder.trim() }),
    });
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
      <ScopesField scopes={scopes} onChange={setScopes} />
      {hasDocuments(scopes) && (
        <InputField
          label="Folder"
          hint="Documents elsewhere are hidden from it. Empty for all of them."
          value={folder}
          placeholder="projects/garden"
          onChange={(event) => setFolder(event.target.value)}
        />
      )}
      <Field label="Valid for">
        {(control) => (
          <Select {...control} value={lifetime} onChange={(event) => setLifetime(Number(event.target.value))}>
            {LIFETIMES.map(({ label }, index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormDialog>
  );
}

interface ScopesFieldProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** What the key may do, as a preset or scope by scope. */
function ScopesField({ scopes, onChange }: ScopesFieldProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-13 font-medium text-strong">Permissions</legend>
      <div className="flex flex-wrap gap-1">
        {SCOPE_SET_NAMES.map((name) => {
          const set = SCOPE_SETS[name];
          const isChosen = SCOPES.every((scope) => scopes.includes(scope) === set.scopes.some((one) => one === scope));
          return (
            <Button
              key={name}
              size="small"
              tone={isChosen ? "accent" : "secondary"}
              aria-pressed={isChosen}
              className={isChosen ? "border border-accent-text bg-accent-soft" : ""}
              onClick={() => onChange(set.scopes)}
            >
              {set.label}
            </Button>
          );
        })}
      </div>
      <div className="grid gap-x-4 md:grid-cols-2">
        {SCOPES.map((scope) => (
          <label key={scope} className="flex min-h-8 items-center gap-2 text-13 text-strong touch:min-h-11">
            <input
              type="checkbox"
              className="checkbox"
              checked={scopes.includes(scope)}
              onChange={() => onChange(toggled(scopes, scope))}
            />
            {SCOPE_LABELS.get(scope)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
