import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Field, InputField, Select } from "../../components/field.tsx";
import { toggled } from "../../lists/choices.ts";
import type { Scope } from "../../resources/resources.ts";
import {
  expiryAfter,
  hasDocuments,
  LIFETIMES,
  SCOPE_LABELS,
  SCOPE_SET_NAMES,
  SCOPE_SETS,
  SCOPES,
  type NewApiKey,
  type ScopeSet,
} from "./api-key.ts";

const NINETY_DAYS = LIFETIMES.findIndex(({ days }) => days === 90);

/** What a person chooses that a key gives access to, and until when. */
export type KeyAccess = ReturnType<typeof useKeyAccess>;

export function useKeyAccess(initialScopes: readonly Scope[]) {
  const [scopes, setScopes] = useState(initialScopes);
  const [folder, setFolder] = useState("");
  const [lifetime, setLifetime] = useState(NINETY_DAYS);
  return {
    scopes,
    setScopes,
    folder,
    setFolder,
    /** An index of `LIFETIMES`. */
    lifetime,
    setLifetime,
    isReady: scopes.length > 0,
    /** In the form in which the server takes it, with the time counted from now. */
    read: (): Omit<NewApiKey, "name"> => ({
      scopes: [...scopes],
      expiresAt: expiryAfter(LIFETIMES[lifetime]?.days ?? null, new Date()),
      ...(folder.trim() !== "" && hasDocuments(scopes) && { folder: folder.trim() }),
    }),
  };
}

interface KeyAccessFieldsProps {
  readonly access: KeyAccess;
  /** The permissions that can be chosen. */
  readonly offered?: readonly Scope[];
  /** The typical sets of them. */
  readonly presets?: readonly ScopeSet[];
}

/** The permissions of a key, the folder to which they are limited, and how long it is valid. */
export function KeyAccessFields({ access, offered = SCOPES, presets = SCOPE_SET_NAMES }: KeyAccessFieldsProps) {
  const { scopes, setScopes, folder, setFolder, lifetime, setLifetime } = access;
  return (
    <>
      <ScopesField scopes={scopes} offered={offered} presets={presets} onChange={setScopes} />
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
    </>
  );
}

interface ScopesFieldProps {
  readonly scopes: readonly Scope[];
  readonly offered: readonly Scope[];
  readonly presets: readonly ScopeSet[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** What the key may do, as a preset or scope by scope. */
function ScopesField({ scopes, offered, presets, onChange }: ScopesFieldProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-13 font-medium text-strong">Permissions</legend>
      <div className="flex flex-wrap gap-1">
        {presets.map((name) => {
          const { label } = SCOPE_SETS[name];
          const set = offered.filter((scope) => SCOPE_SETS[name].scopes.some((one) => one === scope));
          const isChosen = offered.every((scope) => scopes.includes(scope) === set.includes(scope));
          return (
            <Button
              key={name}
              size="small"
              tone={isChosen ? "accent" : "secondary"}
              aria-pressed={isChosen}
              className={isChosen ? "border border-accent-text bg-accent-soft" : ""}
              onClick={() => onChange(set)}
            >
              {label}
            </Button>
          );
        })}
      </div>
      <div className="grid gap-x-4 md:grid-cols-2">
        {offered.map((scope) => (
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
