import { Plus, X } from "lucide-react";
import { useLayoutEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { useClient } from "../../../client/use-client.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Input } from "../../../components/field.tsx";
import { updateDetails } from "../document-actions.ts";
import type { Document, OpenDocument } from "../document.ts";
import { controlAfter } from "./control-after.ts";
import { readFieldText, toFieldText, formatFrontmatterValue, type FieldInput } from "./frontmatter-format.ts";
import { PropertyInput } from "./property-input.tsx";

/** Shown above, where they can be edited. */
const SHOWN_ELSEWHERE = new Set(["title", "tags"]);
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 10_000;
/** A note may have hundreds of fields, and showing all of them at once would block the page. */
const FIELDS_AT_A_TIME = 40;

interface FrontmatterFieldsProps {
  readonly document: Document;
  readonly metadata: OpenDocument["metadata"];
}

/** The other fields of a note's frontmatter. Those that fit on one line can be edited here. */
export function FrontmatterFields({ document, metadata }: FrontmatterFieldsProps) {
  const client = useClient();
  const [shownCount, setShownCount] = useState(FIELDS_AT_A_TIME);
  const save = (name: string, value: FieldInput) => updateDetails(client, document, { fields: { [name]: value } });
  const fields = Object.entries(metadata).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
  return (
    <section aria-labelledby="frontmatter" className="border-t border-border pt-4">
      <h2 id="frontmatter" className="mb-1 text-13 font-medium text-strong">
        Other fields
      </h2>
      <dl className="flex flex-col gap-0.5">
        {fields.slice(0, shownCount).map(([name, value]) => (
          <FieldRow key={name} name={name} value={value} onSave={save} />
        ))}
      </dl>
      {shownCount < fields.length && (
        <Button
          tone="ghost"
          size="small"
          className="-ml-2"
          onClick={() => setShownCount(shownCount + FIELDS_AT_A_TIME)}
        >
          Show more of {fields.length} fields
        </Button>
      )}
      <NewField isKnown={(name) => Object.hasOwn(metadata, name) || SHOWN_ELSEWHERE.has(name)} onAdd={save} />
    </section>
  );
}

/** When it is removed, the focus goes on to what is after it. */
function FieldRow({ name, value, onSave }: FieldValueProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const row = ref.current;
    return () => {
      if (row?.contains(window.document.activeElement) === true) controlAfter(row)?.focus();
    };
  }, []);
  return (
    <div ref={ref} className="group flex items-start">
      <dt className="flex h-8 w-20 shrink-0 items-center text-13 text-muted touch:h-11">
        <span className="truncate" title={name}>
          {name}
        </span>
      </dt>
      <dd className="min-w-0 flex-1">
        <FieldValue name={name} value={value} onSave={onSave} />
      </dd>
      <IconButton
        size="small"
        label={`Remove ${name}`}
        icon={<X size={14} />}
        className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100"
        onClick={() => void onSave(name, null)}
      />
    </div>
  );
}

interface FieldValueProps {
  readonly name: string;
  readonly value: unknown;
  onSave(name: string, value: FieldInput): Promise<void>;
}

function FieldValue({ name, value, onSave }: FieldValueProps) {
  const text = toFieldText(value);
  if (typeof value === "boolean") return <FieldCheckbox name={name} value={value} onSave={onSave} />;
  if (text === null) {
    return (
      <span className="block px-2 py-1.5 text-normal [overflow-wrap:anywhere]">{formatFrontmatterValue(value)}</span>
    );
  }
  return (
    <PropertyInput
      label={name}
      value={text}
      maxLength={MAX_VALUE_LENGTH}
      onSave={(next) => onSave(name, readFieldText(next, value))}
    />
  );
}

function FieldCheckbox({ name, value, onSave }: FieldValueProps & { readonly value: boolean }) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const choose = async (isChecked: boolean) => {
    setChosen(isChecked);
    await onSave(name, isChecked);
    // What is stored now is shown, even if the server has refused the change.
    setChosen((now) => (now === isChecked ? null : now));
  };
  return (
    <span className="flex h-8 items-center px-2 touch:h-11">
      <input
        type="checkbox"
        aria-label={name}
        checked={chosen ?? value}
        className="size-4 accent-(--accent)"
        onChange={(event) => void choose(event.target.checked)}
      />
    </span>
  );
}

interface NewFieldProps {
  readonly isKnown: (name: string) => boolean;
  onAdd(name: string, value: FieldInput): Promise<void>;
}

function NewField({ isKnown, onAdd }: NewFieldProps) {
  const [isOpen, setIsOpen] = useState<boolean>();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const valueRef = useRef<HTMLInputElement>(null);
  const trimmed = name.trim();
  const isTaken = isKnown(trimmed);
  const close = () => {
    setIsOpen(false);
    setName("");
    setValue("");
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (trimmed === "" || isTaken) return;
    void onAdd(trimmed, readFieldText(value.trim(), undefined));
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  /** Enter after the name goes on to the value. */
  const onNameKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || trimmed === "" || isTaken) return;
    event.preventDefault();
    valueRef.current?.focus();
  };
  if (isOpen !== true) {
    return (
      <Button
        // Once the form is closed, the focus is where it was before.
        autoFocus={isOpen === false}
        tone="ghost"
        size="small"
        className="-ml-2"
        icon={<Plus aria-hidden size={14} />}
        onClick={() => setIsOpen(true)}
      >
        Add a field
      </Button>
    );
  }
  return (
    <form className="mt-1 flex flex-col gap-2" onSubmit={add} onKeyDown={onKeyDown}>
      <div className="flex gap-2">
        <Input
          autoFocus
          aria-label="Name of the new field"
          aria-invalid={isTaken || undefined}
          placeholder="Name"
          value={name}
          maxLength={MAX_NAME_LENGTH}
          className="w-0 min-w-0 flex-1"
          onChange={(event) => setName(event.target.value)}
          onKeyDown={onNameKeyDown}
        />
        <Input
          ref={valueRef}
          aria-label="Value of the new field"
          placeholder="Value"
          value={value}
          maxLength={MAX_VALUE_LENGTH}
          className="w-0 min-w-0 flex-1"
          onChange={(event) => setValue(event.target.value)}
        />
      </div>
      {isTaken && (
        <p role="alert" className="text-12 text-danger">
          A field with this name already exists.
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" size="small" disabled={trimmed === "" || isTaken}>
          Add
        </Button>
        <Button tone="ghost" size="small" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
