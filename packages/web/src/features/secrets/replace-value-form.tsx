import { useState, type FormEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { FormAlert } from "../auth/form-alert.tsx";
import { replaceSecretValue } from "./secret-actions.ts";
import { SecretValueInput } from "./secret-value-input.tsx";
import type { Secret } from "./secret.ts";

interface ReplaceValueFormProps {
  readonly secret: Secret;
  readonly onDone: () => void;
}

/** Another value for the same name, as after it was renewed where it is from. */
export function ReplaceValueForm({ secret, onDone }: ReplaceValueFormProps) {
  const [value, setValue] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (value === "" || isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      await replaceSecretValue(secret, value);
      onDone();
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      {error !== null && <FormAlert tone="danger">Not replaced. {error}</FormAlert>}
      <Field label="New value" hint="The old one cannot be brought back.">
        {(control) => <SecretValueInput control={control} hasFocus value={value} onChange={setValue} />}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" size="small" tone="primary" isBusy={isBusy} disabled={value === ""}>
          Replace the value
        </Button>
        <Button size="small" tone="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
