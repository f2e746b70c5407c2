import { useState, type FormEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input, Select } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { toggled } from "../../lists/address-choices.ts";
import { FormAlert } from "../auth/form-alert.tsx";
import { createApiKey } from "./api-key-collection.ts";
import {
  expiryAfter,
  LIFETIMES,
  SCOPE_LABELS,
  SCOPE_SET_NAMES,
  SCOPE_SETS,
  SCOPES,
  type CreatedApiKey,
  type Scope,
  type ScopeSet,
} from "./api-key.ts";

interface NewKeyDialogProps {
  /** What the key is wanted for. */
  readonly scopeSet: ScopeSet;
  readonly onCreated: (created: CreatedApiKey) => void;
  readonly onClose: () => void;
}

/** A new key: its name, what it may do, and for how long. */
export default function NewKeyDialog({ scopeSet, onCreated, onClose }: NewKeyDialogProps) {
  const [name, setName] = useDraft("api-key.new.name");
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPE_SETS[scopeSet].scopes);
  const [lifetime, setLifetime] = useState(1);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isReady = (name ?? "").trim() !== "" && scopes.length > 0;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      const expiresAt = expiryAfter(LIFETIMES[lifetime]?.days ?? null, new Date());
      const created = await createApiKey({ name: (name ?? "").trim(), scopes: [...scopes], expiresAt });
      setName(null);
      onClose();
      onCreated(created);
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {error !== null && <FormAlert tone="danger">Not created. {error}</FormAlert>}
        <Field label="Name" hint="What will use it, so that you know later what to revoke.">
          {(control) => (
            <Input
              {...control}
              autoFocus
              required
              maxLength={200}
              value={name ?? ""}
              placeholder="Claude Code on the laptop"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ScopesField scopes={scopes} onChange={setScopes} />
        <Field label="Good for">
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
        <div className="flex justify-end gap-2">
          <Button tone="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" tone="primary" isBusy={isBusy} disabled={!isReady}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ScopesFieldProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** What the key may do, by what it is for or one by one. */
function ScopesField({ scopes, onChange }: ScopesFieldProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-13 font-medium text-strong">What it may do</legend>
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
            {SCOPE_LABELS[scope]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
